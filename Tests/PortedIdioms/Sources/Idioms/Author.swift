import CoreData
import Foundation

// As Xcode's "Create NSManagedObject Subclass" writes it, and changed by `opencoredata model port`.
#if canImport(ObjectiveC)
    @objc(Author)
#endif
public class Author: NSManagedObject {
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(Date(), forKey: "created")
    }

    public override func validateForInsert() throws {
        try super.validateForInsert()
        try validateName()
    }

    public override func validateForUpdate() throws {
        try super.validateForUpdate()
        try validateName()
    }

    private func validateName() throws {
        if name.hasPrefix(" ") {
            throw NSError(
                domain: "Library", code: 7, userInfo: [NSLocalizedDescriptionKey: "The name begins with a space."])
        }
    }
}

extension Author {
    @nonobjc public class func fetchRequest() -> NSFetchRequest<Author> {
        return NSFetchRequest<Author>(entityName: "Author")
    }

    @NSManaged public var age: Int16
    @NSManaged public var bookCount: Int64
    @NSManaged public var created: Date?
    @NSManaged public var name: String
    @NSManaged public var books: NSSet?
}

// MARK: Generated accessors for books
extension Author {
    @NSManaged public func addToBooks(_ value: Book)
    @NSManaged public func removeFromBooks(_ value: Book)
    @NSManaged public func addToBooks(_ values: NSSet)
    @NSManaged public func removeFromBooks(_ values: NSSet)
}

extension Author: Identifiable {}
