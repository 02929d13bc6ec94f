import CampaignCore
import Foundation
import OpenCoreData
import OpenCoreDataKit

/// What a process does with a bank: the same for processes that are killed, that share a store, and whose disk fails.
struct BankWork: Codable {
    enum Kind: String, Codable, CaseIterable {
        /// Transfers, each with a save.
        case transfers
        /// Batch inserts, updates and deletes.
        case batches
        /// Imports of the kit, each of a few transfers that are saved one by one.
        case imports
        /// A migration by changing tables.
        case tableMigration
        /// A migration that creates all objects again.
        case objectMigration

        var isMigration: Bool { self == .tableMigration || self == .objectMigration }
        var target: BankModel.Version { self == .tableMigration ? .second : self == .objectMigration ? .third : .first }
    }

    var kind: Kind
    var store: String
    var storeType = NSSQLiteStoreType
    var seed: UInt64
    /// How many steps are done; nil for no end.
    var steps: Int?
    /// The file that takes the number of the last step that was done.
    var acknowledgments: String
    /// Whether others migrate the store at the same time.
    var isShared: Bool?
    /// Whether others write too: most steps then add a group, which conflicts with nothing, and no transfer has a
    /// picture.
    var isCrowded: Bool?
    /// The planted defect: a step is acknowledged before it is done.
    var acknowledgesEarly = false

    /// How many objects a batch has.
    static let batchSize = 60
    /// The steps of one batch's life: inserted, updated, deleted.
    static let stepsPerBatch: Int64 = 3

    private var url: URL { URL(fileURLWithPath: store) }

    /// Does the work in this process.
    func run() throws {
        let ack = try AckFile(acknowledgments)
        switch kind {
        case .transfers: try transfer(ack)
        case .batches: try runBatches(ack)
        case .imports: try runImports(ack)
        case .tableMigration, .objectMigration:
            if acknowledgesEarly { ack.value = 1 }
            try migrate()
            ack.value = 1
        }
    }

    private func transfer(_ ack: AckFile) throws {
        var bank = try Bank(url, type: storeType)
        var random = SplitMix64(seed: seed)
        var (done, refusals) = (0, 0)
        while done < steps ?? .max {
            do {
                try bank.context.performAndWait {
                    let number = try step(bank, &random)
                    if acknowledgesEarly { ack.value = number }
                    try bank.context.save()
                    ack.value = steps == nil ? number : ack.value + 1
                    FaultLibrary.mark(number)
                }
                (done, refusals) = (done + 1, 0)
            } catch  where Self.isConflict(error) {
                bank.context.performAndWait { bank.context.reset() }
                refusals += 1
                Self.giveWay(refusals, &random)
            } catch  where storeType != NSSQLiteStoreType && (error as NSError).code == NSPersistentStoreSaveError {
                // A file that another process has saved is opened again.
                refusals += 1
                Self.giveWay(refusals, &random)
                bank = try Bank(url, type: storeType)
            }
        }
        try bank.close()
    }

    /// What the names of groups begin with that a crowd adds.
    static let crowdPrefix = "Crowd "

    /// - Returns: The number of the transfer; 0 for a group.
    private func step(_ bank: Bank, _ random: inout SplitMix64) throws -> Int64 {
        guard isCrowded == true else { return try bank.transfer(&random) }
        if random.chance(25) { return try Bank.transfer(in: bank.context, &random, paints: false) }
        bank.new("Group").setValue(Self.crowdPrefix + "\(seed)", forKey: "name")
        return 0
    }

    /// Lets others go on: where all try again at once, most of them do so for nothing.
    private static func giveWay(_ refusals: Int, _ random: inout SplitMix64) {
        usleep(UInt32(random.below(1_000 * min(refusals, 16))))
    }

    /// Whether another process was faster.
    static func isConflict(_ error: any Error) -> Bool {
        let error = error as NSError
        return [NSManagedObjectMergeError, NSPersistentStoreSaveConflictsError, NSManagedObjectConstraintMergeError]
            .contains(error.code)
    }

    /// How many transfers an import has.
    static let transfersPerImport = 3

    /// Imports into a store, one after the other.
    private func runImports(_ ack: AckFile) throws {
        let database = try Self.database(url, storeType)
        var random = SplitMix64(seed: seed)
        var done = 0
        while done < steps ?? .max {
            let numbers = random
            if acknowledgesEarly { ack.value = max(ack.value, 4) + Int64(Self.transfersPerImport) }
            let number = try Waiting.wait { try await Self.importTransfers(database, numbers) }
            _ = random.next()
            ack.value = steps == nil ? number : ack.value + Int64(Self.transfersPerImport)
            FaultLibrary.mark(number)
            done += 1
        }
        try Waiting.wait { try await database.close() }
    }

    /// A database of the kit with the bank's model.
    static func database(_ url: URL, _ type: String) throws -> Database {
        let store = type == NSSQLiteStoreType ? Store.sqlite(at: url, watched: true) : .binary(at: url)
        return try Database.openBlocking(
            Database.Configuration(name: "Bank", model: .value(BankModel.make()), stores: [store]))
    }

    /// One import.
    ///
    /// - Returns: The number of its last transfer.
    @discardableResult
    static func importTransfers(
        _ database: Database, _ random: SplitMix64, count: Int = transfersPerImport
    ) async throws -> Int64 {
        try await database.importing { context in
            var (random, number) = (random, Int64(0))
            for _ in 0..<count {
                number = try Bank.transfer(in: context, &random)
                try context.save()
            }
            return number
        }
    }

    private func runBatches(_ ack: AckFile) throws {
        let bank = try Bank(url, type: storeType)
        while ack.value < Int64(steps ?? .max) {
            let step = ack.value
            if acknowledgesEarly { ack.value = step + 1 }
            try bank.context.performAndWait { try Self.batch(step, bank) }
            ack.value = step + 1
        }
        try bank.close()
    }

    /// One batch request of a batch's life.
    static func batch(_ step: Int64, _ bank: Bank) throws {
        let number = step / stepsPerBatch
        switch step % stepsPerBatch {
        case 0:
            let rows = (0..<batchSize).map { _ in ["name": "Import \(number)"] }
            _ = try bank.context.execute(NSBatchInsertRequest(entityName: "Group", objects: rows))
        case 1:
            let update = NSBatchUpdateRequest(entityName: "Group")
            update.predicate = NSPredicate(format: "name == %@", "Import \(number)")
            update.propertiesToUpdate = ["name": "Updated \(number)"]
            _ = try bank.context.execute(update)
        default:
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Group")
            request.predicate = NSPredicate(format: "name == %@", "Updated \(number)")
            _ = try bank.context.execute(NSBatchDeleteRequest(fetchRequest: request))
        }
    }

    /// Migrates the store.
    func migrate() throws {
        if isShared == true {
            return try migrateWithOthers()
        }
        let (source, destination) = (BankModel.make(.first), BankModel.make(kind.target))
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: storeType, at: url)
        let migration = StoreMigration(
            url: url, type: storeType, metadata: metadata, sourceModel: source, destinationModel: destination,
            configuration: nil, options: [NSPersistentHistoryTrackingKey: true])
        guard kind == .objectMigration || storeType != NSSQLiteStoreType else { return try migration.runInferred() }
        try migration.run(
            with: NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination),
            direct: false)
    }

    /// The second process finds the store migrated, or gets an error that says to try again.
    private func migrateWithOthers() throws {
        while true {
            do {
                return try Bank(url, type: storeType, version: kind.target, migrates: true).close()
            } catch  where (error as NSError).code == NSPersistentStoreTimeoutError {
                usleep(2_000)
            }
        }
    }

    // MARK: Checking

    /// Checks what is left in the store when the process has ended in whatever way.
    ///
    /// - Returns: The step that the store is at.
    @discardableResult
    func verify() throws -> Int64 { try verify(AckFile(acknowledgments).value) }

    /// The same, where what was acknowledged is known.
    ///
    /// - Parameter usesCommand: Whether the `sqlite3` command looks at the file too.
    @discardableResult
    func verify(_ acknowledged: Int64, usesCommand: Bool = true) throws -> Int64 {
        var version = BankModel.Version.first
        var bank: Bank?
        if kind.isMigration {
            bank = try? Bank(url, type: storeType)
            if bank == nil { version = kind.target }
        }
        let open = try bank ?? Bank(url, type: storeType, version: version)
        let isMigrated = version != .first
        if kind.isMigration, acknowledged > 0, !isMigrated {
            throw CampaignFailure("A migration that was acknowledged is lost")
        }
        let transfers = try open.verify(
            atLeast: (kind == .transfers || kind == .imports) && steps == nil ? acknowledged : 0)
        let step = kind == .batches ? try Self.batchStep(open, acknowledged) : transfers
        if storeType == NSSQLiteStoreType, !kind.isMigration { try open.verifyHistory(transfers) }
        try open.close()
        if storeType == NSSQLiteStoreType { try Bank.check(url, version: version, usesCommand: usesCommand) }
        return kind.isMigration ? (isMigrated ? 1 : 0) : step
    }

    /// Checks that the store is at a step of a batch's life.
    static func checkBatches(_ bank: Bank, after step: Int64) throws { _ = try batchStep(bank, step, orNext: false) }

    private static func batchStep(_ bank: Bank, _ acknowledged: Int64, orNext: Bool = true) throws -> Int64 {
        let names = try bank.context.performAndWait {
            try bank.fetch("Group").compactMap { $0.value(forKey: "name") as? String }.filter {
                !$0.hasPrefix("Group ")
            }
        }
        let counts = Dictionary(grouping: names) { $0 }.mapValues(\.count)
        for step in [acknowledged] + (orNext ? [acknowledged + 1] : []) where counts == state(after: step) {
            return step
        }
        throw CampaignFailure("A batch is lost or there by half", "\(counts) after step \(acknowledged)")
    }

    /// How many groups of which name there are after a step.
    private static func state(after step: Int64) -> [String: Int] {
        let number = (step - 1) / stepsPerBatch
        return switch step % stepsPerBatch {
        case 1: ["Import \(number)": batchSize]
        case 2: ["Updated \(number)": batchSize]
        default: [:]
        }
    }
}
