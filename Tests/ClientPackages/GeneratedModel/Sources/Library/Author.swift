//
//  Author.swift
//

public import Foundation
public import OpenCoreData

public class Author: NSManagedObject {
    @NSManaged public var name: String?
    @NSManaged public var born: Date?
    @NSManaged public var books: NSSet?
    @NSManaged public var longBooks: [Book]?
    @NSManaged public private(set) var fame: NSNumber?
    @NSManaged var primitiveName: String?

    public func praise() { fame = NSNumber(value: (fame?.int64Value ?? 0) + 1) }

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        primitiveName = "anonymous"
    }
}

// MARK: Generated accessors for books
extension Author {
    @NSManaged public func addToBooks(_ value: Book)
    @NSManaged public func removeFromBooks(_ value: Book)
    @NSManaged public func addToBooks(_ values: NSSet)
    @NSManaged public func removeFromBooks(_ values: NSSet)
}
