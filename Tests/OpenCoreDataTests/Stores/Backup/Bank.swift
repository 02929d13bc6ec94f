import Foundation
import OpenCoreData
import TestSupport

/// A store whose states all have something in common: transfers move money between accounts and make none, and each leaves
/// an entry in the book.
final class Bank: Sendable {
    static let accounts = 2_000
    static let total = Int64(accounts) * 100

    let folder: TemporaryFolder
    let url: URL
    let coordinator: NSPersistentStoreCoordinator

    /// - Parameter pictures: How many accounts have a picture in a file of its own.
    init(
        folder: TemporaryFolder? = nil, name: String = "Bank.sqlite", accounts: Int = accounts, pictures: Int = 0,
        options: [AnyHashable: Any] = [:]
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        url = self.folder.file(name)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = context()
        try context.performAndWait {
            for number in 0..<accounts {
                let account = NSEntityDescription.insertNewObject(forEntityName: "Account", into: context)
                account.setValue(number, forKey: "number")
                account.setValue(100, forKey: "balance")
                // Wide rows, so that copying takes a while.
                account.setValue(String(repeating: "note ", count: 500), forKey: "note")
                if number < pictures { account.setValue(Self.picture(number), forKey: "picture") }
            }
            try context.save()
        }
    }

    static func model() -> NSManagedObjectModel {
        let account = NSEntityDescription()
        account.name = "Account"
        let picture = LibraryModel.attribute("picture", .binaryDataAttributeType)
        picture.allowsExternalBinaryDataStorage = true
        account.properties = [
            LibraryModel.attribute("number", .integer64AttributeType),
            LibraryModel.attribute("balance", .integer64AttributeType),
            LibraryModel.attribute("note", .stringAttributeType), picture,
        ]
        let entry = NSEntityDescription()
        entry.name = "Entry"
        entry.properties = [LibraryModel.attribute("amount", .integer64AttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [account, entry]
        return model
    }

    static func picture(_ seed: Int) -> Data {
        Data(repeating: UInt8(truncatingIfNeeded: seed), count: ExternalData.threshold + seed)
    }

    var store: NSPersistentStore { coordinator.persistentStores[0] }

    func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func account(_ number: Int, in context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Account")
        request.predicate = NSPredicate(format: "number == %d", number)
        guard let account = try context.fetch(request).first else { throw Refusal(reason: "no account \(number)") }
        return account
    }

    /// Moves money between two accounts and notes it, in one transaction.
    func transfer(_ amount: Int64, from: Int, to: Int, in context: NSManagedObjectContext) throws {
        try context.performAndWait {
            let (giver, taker) = (try account(from, in: context), try account(to, in: context))
            giver.setValue((giver.value(forKey: "balance") as? Int64 ?? 0) - amount, forKey: "balance")
            taker.setValue((taker.value(forKey: "balance") as? Int64 ?? 0) + amount, forKey: "balance")
            NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context).setValue(
                amount, forKey: "amount")
            try context.save()
        }
    }

    /// The folder of the files of a store's external values.
    static func values(of url: URL) -> URL { ExternalData(storeURL: url).folder }

    /// The names in the folder, hidden ones too.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
}
