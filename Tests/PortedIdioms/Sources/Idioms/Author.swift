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

    // What Xcode's templates call validation by key, with a method for each key.
    public override func validateValue(
        _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
    ) throws {
        try super.validateValue(value, forKey: key)
        if key == "age" { try validateAge(value) }
    }

    private func validateAge(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let age = value.pointee as? NSNumber else { return }
        if age.intValue == 99 {
            throw NSError(
                domain: "Library", code: 8, userInfo: [NSLocalizedDescriptionKey: "Nobody is 99."])
        }
        if age.intValue == 98 { value.pointee = NSNumber(value: 97) }
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
