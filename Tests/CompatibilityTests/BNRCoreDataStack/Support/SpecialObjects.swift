import BNRCoreDataStack
import TestSupport

/// A class whose entity has another name, and is not named by the model.
final class Tome: NSManagedObject, CoreDataModelable {
    static let entityName = "BigBook"
}

/// A class that names an entity that there is not.
final class LostBook: NSManagedObject, CoreDataModelable {
    static let entityName = "NoSuchEntity"
}

/// An object that says where it awakes.
final class Sleeper: NSManagedObject {
    static let awoken = Noted<String>()

    override func awakeFromInsert() {
        super.awakeFromInsert()
        Sleeper.awoken.note(managedObjectContext?.transactionAuthor ?? "")
    }
}
