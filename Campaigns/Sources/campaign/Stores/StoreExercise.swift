import CampaignCore
import Foundation
import OpenCoreData

/// Does with a store what an application does. Every step may be refused with an error that says something.
struct StoreExercise {
    let url: URL
    let type: String
    let trial: Trial
    let isPlanted: Bool
    /// Whether an error is a failure.
    let isSound: Bool

    private func step(_ name: String, _ body: () throws -> Void) throws {
        do {
            try body()
            trial.count("\(name): done")
        } catch let failure as CampaignFailure {
            throw failure
        } catch {
            trial.count("\(name): refused")
            precondition(!isPlanted || isSound, "The planted defect: a program that expects each store to be sound.")
            if isSound { throw CampaignFailure("A sound store is refused: \(name)", "\(error)") }
            // The checker is no part of the public interface and says what SQLite says.
            if name == "check", error is SQLiteError { return }
            try Sentences.check(error)
        }
    }

    func run() throws {
        try step("metadata") {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        }
        var bank: Bank?
        try step("open") { bank = try Bank(url, type: type, migrates: true) }
        if let bank {
            try bank.context.performAndWait { try use(bank) }
            try step("close") { try bank.close() }
        }
        if type == NSSQLiteStoreType {
            try step("check") {
                let findings = try StoreChecker.findings(inStoreAt: url, model: BankModel.make())
                if isSound, !findings.isEmpty { throw CampaignFailure("A sound store has findings", "\(findings)") }
            }
        }
        var again: Bank?
        try step("open again") { again = try Bank(url, type: type) }
        try step("close again") { try again?.close() }
    }

    private func use(_ bank: Bank) throws {
        for entity in ["Ledger", "Account", "Savings", "Entry", "Group"] {
            try step("fetch") { for object in try bank.fetch(entity) { read(object) } }
            bank.context.reset()
            try step("prefetch") { try prefetch(entity, bank) }
            bank.context.reset()
            try step("dictionaries") { try dictionaries(entity, bank) }
        }
        if isSound { try step("verify") { try bank.verify(isPlanted: isPlanted) } }
        if type == NSSQLiteStoreType { try step("history") { try readHistory(bank) } }
        try step("edit") { try edit(bank) }
        bank.context.rollback()
        try step("insert") {
            for entity in ["Account", "Savings", "Entry", "Group", "Ledger"] {
                let object = bank.new(entity)
                if object.entity.attributesByName["name"] != nil { object.setValue("new \(entity)", forKey: "name") }
            }
            try bank.context.save()
        }
        bank.context.rollback()
        if type == NSSQLiteStoreType { try step("batches") { try batches(bank) } }
        bank.context.reset()
        try step("delete") {
            for entity in ["Entry", "Group", "Account"] {
                if let object = try bank.fetch(entity).last { bank.context.delete(object) }
            }
            try bank.context.save()
        }
        bank.context.rollback()
    }

    private func read(_ object: NSManagedObject) {
        for name in object.entity.attributesByName.keys {
            guard object.value(forKey: name) as? Data != PrivateFiles.content else {
                preconditionFailure("A file that isn't the store's was read.")
            }
        }
        for (name, relationship) in object.entity.relationshipsByName {
            let value = object.value(forKey: name)
            if let other = value as? NSManagedObject { _ = other.value(forKey: "objectID") }
            if relationship.isToMany, let members = value as? Set<NSManagedObject> {
                for member in members { _ = member.isFault }
            }
            if let members = value as? NSOrderedSet { for member in members.array { _ = member as? NSManagedObject } }
        }
    }

    private func prefetch(_ entity: String, _ bank: Bank) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.relationshipKeyPathsForPrefetching = ["entries", "groups", "account", "accounts"].filter { name in
            bank.coordinator.managedObjectModel.entitiesByName[entity]?.relationshipsByName[name] != nil
        }
        request.fetchBatchSize = 2
        for object in try bank.context.fetch(request) { read(object) }
    }

    private func dictionaries(_ entity: String, _ bank: Bank) throws {
        let request = NSFetchRequest<NSDictionary>(entityName: entity)
        request.resultType = .dictionaryResultType
        _ = try bank.context.fetch(request)
        let names = bank.coordinator.managedObjectModel.entitiesByName[entity]?.attributesByName ?? [:]
        guard names["number"] != nil else { return }
        for name in names.keys.sorted() where names[name]?.attributeType != .transformableAttributeType {
            _ = try bank.fetch(entity, NSPredicate(format: "%K != nil", name))
            _ = try bank.fetch(entity, nil, sortedBy: name)
        }
        _ = try bank.fetch("Account", NSPredicate(format: "entries.@sum.amount > 0 OR ANY groups.name = 'x'"))
    }

    private func readHistory(_ bank: Bank) throws {
        let none: NSPersistentHistoryToken? = nil
        let result = try bank.context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: none))
        for transaction in (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? [] {
            _ = transaction.timestamp
            for change in transaction.changes ?? [] {
                _ = (change.changedObjectID, change.updatedProperties, change.tombstone)
            }
        }
        _ = bank.coordinator.currentPersistentHistoryToken(fromStores: nil)
    }

    private func edit(_ bank: Bank) throws {
        for account in try bank.fetch("Account") {
            account.setValue(Bank.integer(account, "balance") &+ 1, forKey: "balance")
            account.setValue(Data([1, 2, 3]), forKey: "picture")
            let entries = (account.value(forKey: "entries") as? NSOrderedSet)?.array ?? []
            account.setValue(NSOrderedSet(array: entries.reversed()), forKey: "entries")
            account.setValue(Set<NSManagedObject>(), forKey: "groups")
        }
        for entry in try bank.fetch("Entry") { entry.setValue("edited", forKey: "memo") }
        try bank.context.save()
    }

    private func batches(_ bank: Bank) throws {
        let insert = NSBatchInsertRequest(entityName: "Entry", objects: [["number": 99, "amount": 0]])
        _ = try bank.context.execute(insert)
        let update = NSBatchUpdateRequest(entityName: "Entry")
        update.propertiesToUpdate = ["memo": "batch", "amount": NSExpression(format: "amount + 1", argumentArray: [])]
        _ = try bank.context.execute(update)
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Entry")
        request.predicate = NSPredicate(format: "number >= 99")
        _ = try bank.context.execute(NSBatchDeleteRequest(fetchRequest: request))
    }
}
