import CampaignCore
import Foundation
import OpenCoreData

/// A process in which a system call fails during an operation; it looks whether all can go on after that.
struct FaultActor: Codable {
    static let name = "fault"

    var operation: FaultOperation
    /// Which call fails, from 1; 0 for none.
    var call: Int
    var effect: String
    /// Whether all calls from that one on fail.
    var isForever: Bool
    /// The folder of the files whose calls fail.
    var folder: String
    var store: String
    /// The file that takes the number of calls.
    var result: String
    /// The planted defect: the program forgets that saving failed.
    var isPlanted = false

    struct Result: Codable {
        var calls: Int
        var hasFired: Bool
        var error: String?
    }

    var url: URL { URL(fileURLWithPath: store) }
    var type: String { operation.storeType }

    static func run(_ arguments: [String]) throws {
        let actor = try JSONDecoder().decode(FaultActor.self, from: Data((arguments.last ?? "").utf8))
        FaultLibrary.configure(actor.folder, effect: actor.effect, isForever: actor.isForever)
        do {
            try actor.run()
        } catch let failure as CampaignFailure {
            FileHandle.standardError.write(Data("\(failure.title)\n\(failure.detail)\n".utf8))
            exit(CaseProcess.failed)
        }
    }

    /// Runs something while the chosen call fails, and writes down what came of it.
    ///
    /// - Returns: The error that it threw.
    func underFault(_ body: () throws -> Void) throws -> (any Error)? {
        var thrown: (any Error)?
        FaultLibrary.arm(call)
        do { try body() } catch { thrown = error }
        let outcome = Result(
            calls: FaultLibrary.count, hasFired: FaultLibrary.hasFired, error: thrown.map { "\($0)" })
        let numbers = FaultLibrary.errors
        FaultLibrary.disarm()
        try JSONEncoder().encode(outcome).write(to: URL(fileURLWithPath: result))
        if let thrown {
            guard outcome.hasFired else { throw CampaignFailure("It fails without a fault", "\(thrown)") }
            try Sentences.check(thrown, systemErrors: numbers)
        }
        return thrown
    }

    private func run() throws {
        switch operation.kind {
        case .open: try open()
        case .fetch: try fetch()
        case .save, .savePicture: try save()
        case .batchInsert, .batchUpdate, .batchDelete: try batch()
        case .checkpoint: try checkpoint()
        case .tableMigration, .objectMigration, .automaticMigration: try migrate()
        case .replace: try replace()
        case .destroy: try destroy()
        case .kitImport: try importTransfers()
        case .fullDisk: try fillDisk()
        }
    }

    /// Retries what failed; nothing stands in its way any more.
    func retry(_ thrown: (any Error)?, _ body: () throws -> Void) throws {
        guard let thrown else { return }
        do { try body() } catch {
            throw CampaignFailure("Retrying fails", "\(error)\nafter: \(thrown)")
        }
    }

    private func open() throws {
        var bank: Bank?
        let thrown = try underFault { bank = try Bank(url, type: type) }
        try retry(thrown) { bank = try Bank(url, type: type) }
        try bank?.verify(atLeast: 4)
        try bank?.close()
    }

    /// Reads all there is. What no accessor can throw is thrown by the next fetch.
    private func fetch() throws {
        let bank = try Bank(url, type: type)
        _ = try underFault {
            try bank.context.performAndWait {
                for account in try bank.fetch("Account") {
                    for key in ["name", "picture", "entries", "groups"] { _ = account.value(forKey: key) }
                }
                for entry in try bank.fetch("Entry") { _ = entry.value(forKey: "account") }
                _ = try bank.fetch("Ledger")
            }
        }
        try addOne(bank, bank.verify(atLeast: 4))
        try bank.close()
    }

    private func save() throws {
        let bank = try Bank(url, type: type)
        let before = try bank.verify()
        var random = SplitMix64(seed: 1)
        try bank.context.performAndWait {
            let number = try bank.transfer(&random)
            if operation.kind == .savePicture {
                let account = try bank.fetch("Account", sortedBy: "name")[1]
                account.setValue(Bank.picture(number), forKey: "picture")
                account.setValue(number, forKey: "pictured")
            }
        }
        let thrown = try underFault { try bank.context.performAndWait { try bank.context.save() } }
        if thrown != nil, !bank.context.performAndWait({ bank.context.hasChanges }) {
            throw CampaignFailure("Changes are forgotten by a save that failed")
        }
        if !isPlanted { try retry(thrown) { try bank.context.performAndWait { try bank.context.save() } } }
        let after = try bank.verify()
        guard after == before + 1 else {
            throw CampaignFailure(
                "A save is not there once", "\(after - before) times, after \(thrown.debugDescription)")
        }
        try addOne(bank, after)
        try bank.close()
    }

    /// What was opened must be usable: one more transfer.
    func addOne(_ bank: Bank, _ transfers: Int64) throws {
        var random = SplitMix64(seed: 2)
        try bank.context.performAndWait {
            try bank.transfer(&random)
            try bank.context.save()
        }
        guard try bank.verify() == transfers + 1 else { throw CampaignFailure("The next save is not there") }
    }

    private func batch() throws {
        let bank = try Bank(url, type: type)
        let transfers = try bank.verify()
        let step: Int64 = operation.kind == .batchInsert ? 0 : operation.kind == .batchUpdate ? 1 : 2
        for earlier in 0..<step { try bank.context.performAndWait { try BankWork.batch(earlier, bank) } }
        let thrown = try underFault { try bank.context.performAndWait { try BankWork.batch(step, bank) } }
        if thrown != nil { try BankWork.checkBatches(bank, after: step) }
        if !isPlanted { try retry(thrown) { try bank.context.performAndWait { try BankWork.batch(step, bank) } } }
        try BankWork.checkBatches(bank, after: step + 1)
        try addOne(bank, transfers)
        try bank.close()
    }

    private func checkpoint() throws {
        let bank = try Bank(url, type: type)
        var random = SplitMix64(seed: 1)
        let before = try bank.verify()
        try bank.context.performAndWait {
            for _ in 0..<3 {
                try bank.transfer(&random)
                try bank.context.save()
            }
        }
        _ = try underFault { try bank.close() }
        let again = try Bank(url, type: type)
        guard try again.verify() == before + (isPlanted ? 4 : 3) else {
            throw CampaignFailure("Saves are lost by closing")
        }
        try addOne(again, before + 3)
        try again.close()
    }

    private func migrate() throws {
        let target = operation.kind.target
        func work() -> BankWork {
            BankWork(
                kind: operation.kind == .tableMigration ? .tableMigration : .objectMigration, store: store,
                storeType: type, seed: 1, acknowledgments: result + ".acks")
        }
        func migrate() throws {
            guard operation.kind == .automaticMigration else { return try work().migrate() }
            try Bank(url, type: type, version: target, migrates: true).close()
        }
        let thrown = try underFault { try migrate() }
        if thrown != nil {
            if let old = try? Bank(url, type: type) {
                try old.verify(atLeast: 4)
                try old.close()
                if !isPlanted { try retry(thrown) { try migrate() } }
            }
        }
        let bank: Bank
        do { bank = try Bank(url, type: type, version: target) } catch {
            throw CampaignFailure("A migrated store cannot be opened", "\(error)\nafter \(thrown.debugDescription)")
        }
        try addOne(bank, bank.verify(atLeast: 4))
        try bank.close()
    }

    /// Another store, with one transfer more, beside the store.
    private func makeOther() throws -> URL {
        let folder = url.deletingLastPathComponent().appendingPathComponent("other")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let other = folder.appendingPathComponent("Other.store")
        let bank = try Bank(other, type: type)
        try bank.found()
        var random = SplitMix64(seed: 9)
        try bank.context.performAndWait {
            try bank.transfer(&random)
            try bank.context.save()
        }
        try bank.close()
        return other
    }

    private func replace() throws {
        let other = try makeOther()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BankModel.make())
        func replace() throws {
            try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: other, ofType: type)
        }
        let thrown = try underFault { try replace() }
        if thrown != nil {
            let bank = try Bank(url, type: type)
            let transfers = try bank.verify()
            guard transfers == 4 || transfers == 1 else { throw CampaignFailure("A store is neither", "\(transfers)") }
            try bank.close()
        }
        if !isPlanted { try retry(thrown) { try replace() } }
        let bank = try Bank(url, type: type)
        guard try bank.verify() == 1 else { throw CampaignFailure("A store was not replaced") }
        try bank.close()
    }

    private func destroy() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BankModel.make())
        func destroy() throws { try coordinator.destroyPersistentStore(at: url, type: .init(rawValue: type)) }
        let thrown = try underFault { try destroy() }
        if thrown != nil, let bank = try? Bank(url, type: type) {
            // The store is there as it was, or it is empty.
            let isEmpty = try bank.context.performAndWait { try bank.fetch("Ledger").isEmpty }
            if !isEmpty { try bank.verify(atLeast: 4) }
            try bank.close()
        }
        if !isPlanted { try retry(thrown) { try destroy() } }
        let bank = try Bank(url, type: type)
        guard try bank.context.performAndWait({ try bank.fetch("Ledger").isEmpty }) else {
            throw CampaignFailure("A destroyed store has objects")
        }
        try bank.close()
    }
}
