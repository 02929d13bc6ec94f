import CampaignCore
import Foundation
import OpenCoreData

/// A store of the bank's model that is open, and what is done with it. A bank belongs to one thread.
final class Bank {
    static let accountCount = 6
    /// A picture is so large that it gets a file of its own.
    static let pictureSize = ExternalData.threshold + 100

    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let context: NSManagedObjectContext

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - hasHistory: Whether it keeps its history.
    ///   - isPatient: Whether reads and writes wait for each other without a limit.
    init(
        _ url: URL, type: String = NSSQLiteStoreType, version: BankModel.Version = .first, hasHistory: Bool = true,
        migrates: Bool = false, isPatient: Bool = false
    ) throws {
        if !url.isFileURL { ServerStore.register() }
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: BankModel.make(version))
        var options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: migrates, NSInferMappingModelAutomaticallyOption: migrates,
        ]
        if hasHistory, type == NSSQLiteStoreType { options[NSPersistentHistoryTrackingKey] = true }
        if isPatient {
            options[OpenCoreDataReaderTimeoutOption] = 0
            options[OpenCoreDataWriterTimeoutOption] = 0
        }
        store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// Closes the store.
    func close() throws {
        context.performAndWait { context.reset() }
        try coordinator.remove(store)
    }

    // MARK: Objects

    func fetch(_ entity: String, _ predicate: NSPredicate? = nil, sortedBy key: String? = nil) throws
        -> [NSManagedObject]
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        if let key { request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)] }
        return try context.fetch(request)
    }

    func new(_ entity: String) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    }

    static func integer(_ object: NSManagedObject, _ key: String) -> Int64 {
        (object.value(forKey: key) as? NSNumber)?.int64Value ?? object.value(forKey: key) as? Int64
            ?? Int64(object.value(forKey: key) as? Int ?? .min)
    }

    // MARK: Writing

    /// Makes the accounts, which have nothing.
    func found() throws {
        try context.performAndWait {
            new("Ledger").setValue(0, forKey: "transfers")
            let groups = (0..<2).map { number in
                let group = new("Group")
                group.setValue("Group \(number)", forKey: "name")
                return group
            }
            for number in 0..<Self.accountCount {
                let account = new(number.isMultiple(of: 3) ? "Savings" : "Account")
                account.setValue("Account \(number)", forKey: "name")
                account.setValue(Set([groups[number % 2]]), forKey: "groups")
            }
            try context.save()
        }
    }

    /// Moves an amount from one account to another, without saving.
    ///
    /// - Returns: The number of the transfer.
    @discardableResult
    func transfer(_ random: inout SplitMix64) throws -> Int64 { try Self.transfer(in: context, &random) }

    /// Moves an amount from one account to another, in any context and without saving.
    @discardableResult
    static func transfer(
        in context: NSManagedObjectContext, _ random: inout SplitMix64, paints: Bool = true
    ) throws -> Int64 {
        func fetch(_ entity: String, sortedBy key: String? = nil) throws -> [NSManagedObject] {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            if let key { request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)] }
            return try context.fetch(request)
        }
        guard let ledger = try fetch("Ledger").first else { throw CampaignFailure("The ledger is missing") }
        let accounts = try fetch("Account", sortedBy: "name")
        guard accounts.count == accountCount else {
            throw CampaignFailure("Accounts are missing", "\(accounts.count)")
        }
        let number = integer(ledger, "transfers") + 1
        ledger.setValue(number, forKey: "transfers")
        let from = random.below(accounts.count)
        let to = (from + 1 + random.below(accounts.count - 1)) % accounts.count
        let amount = Int64(1 + random.below(100))
        book(-amount, number, accounts[from], context)
        book(amount, number, accounts[to], context)
        if random.chance(15), paints { paint(accounts[from], number) }
        if random.chance(15) {
            let groups = try fetch("Group", sortedBy: "name")
            accounts[to].setValue(Set([random.pick(groups)]), forKey: "groups")
        }
        return number
    }

    private static func book(
        _ amount: Int64, _ number: Int64, _ account: NSManagedObject, _ context: NSManagedObjectContext
    ) {
        let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
        entry.setValue(number, forKey: "number")
        entry.setValue(amount, forKey: "amount")
        entry.setValue("Transfer \(number)", forKey: entry.entity.attributesByName["memo"] == nil ? "remark" : "memo")
        entry.setValue(Date(timeIntervalSinceReferenceDate: Double(number)), forKey: "date")
        entry.setValue(NSDecimalNumber(value: number), forKey: "fee")
        entry.setValue(UUID(uuidString: SampleValues.identifiers[0]), forKey: "key")
        entry.setValue(URL(string: "https://bank.example/\(number)"), forKey: "link")
        entry.setValue(number.isMultiple(of: 2), forKey: "flag")
        entry.setValue(["n": number] as NSDictionary, forKey: "extra")
        let entries = (account.value(forKey: "entries") as? NSOrderedSet)?.array ?? []
        account.setValue(NSOrderedSet(array: entries + [entry]), forKey: "entries")
        account.setValue(integer(account, "balance") + amount, forKey: "balance")
    }

    private static func paint(_ account: NSManagedObject, _ number: Int64) {
        account.setValue(picture(number), forKey: "picture")
        account.setValue(number, forKey: "pictured")
    }

    /// The picture that an account gets with a transfer.
    static func picture(_ number: Int64) -> Data {
        Data("\(number) ".utf8) + Data(repeating: UInt8(truncatingIfNeeded: number), count: pictureSize)
    }
}
