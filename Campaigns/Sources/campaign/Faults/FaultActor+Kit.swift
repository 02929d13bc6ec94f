import CampaignCore
import Foundation
import OpenCoreData
import OpenCoreDataKit

extension FaultActor {
    /// An import of several saves: each is there or not, in their order, and the rest can be imported later.
    func importTransfers() throws {
        let database = try BankWork.database(url, type)
        let random = SplitMix64(seed: 1)
        let count = BankWork.transfersPerImport
        let before = try transfers(database)
        let thrown = try underFault {
            _ = try Waiting.wait { try await BankWork.importTransfers(database, random) }
        }
        let between = try transfers(database)
        let whole = before + Int64(count)
        guard between == whole || (thrown != nil && between >= before && between < whole) else {
            throw CampaignFailure("An import is there by half", "\(between - before), after \(thrown.debugDescription)")
        }
        let rest = Int(before) + count - Int(between)
        if rest > 0, !isPlanted {
            do {
                try Waiting.wait { try await BankWork.importTransfers(database, random, count: rest) }
            } catch {
                throw CampaignFailure("Importing the rest fails", "\(error)\nafter: \(thrown.debugDescription)")
            }
        }
        try Waiting.wait { try await database.close() }
        let bank = try Bank(url, type: type)
        let after = try bank.verify()
        guard after == before + Int64(count) else {
            throw CampaignFailure("An import is not there once", "\(after - before)")
        }
        try addOne(bank, after)
        try bank.close()
    }

    /// How many transfers a new context of the database finds.
    private func transfers(_ database: Database) throws -> Int64 {
        try Waiting.wait {
            try await database.read { context in
                guard let ledger = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Ledger")).first
                else { throw CampaignFailure("The ledger is missing") }
                return Bank.integer(ledger, "transfers")
            }
        }
    }

    /// Saves until the disk is full. Then a file goes, and the save that failed is repeated.
    func fillDisk() throws {
        let filler = url.deletingLastPathComponent().appendingPathComponent("filler")
        let bank = try Bank(url, type: type)
        let before = try bank.verify()
        var random = SplitMix64(seed: 1)
        var (done, thrown): (Int64, (any Error)?) = (0, nil)
        while thrown == nil, done < 5_000 {
            try bank.context.performAndWait {
                let number = try bank.transfer(&random)
                if number.isMultiple(of: 5) {
                    let account = try bank.fetch("Account", sortedBy: "name")[0]
                    account.setValue(Bank.picture(number), forKey: "picture")
                    account.setValue(number, forKey: "pictured")
                }
                do { try bank.context.save() } catch { thrown = error }
            }
            if thrown == nil { done += 1 }
        }
        guard let thrown else { throw CampaignFailure("A small disk is never full") }
        try Sentences.check(thrown)
        guard
            thrown.localizedDescription.localizedCaseInsensitiveContains("full")
                || thrown.localizedDescription.localizedCaseInsensitiveContains("space")
        else { throw CampaignFailure("An error does not say that the disk is full", "\(thrown)") }
        try FileManager.default.removeItem(at: filler)
        try retry(thrown) { try bank.context.performAndWait { try bank.context.save() } }
        guard try bank.verify() == before + done + (isPlanted ? 2 : 1) else {
            throw CampaignFailure("A save on a full disk is not there once")
        }
        try addOne(bank, before + done + 1)
        try bank.close()
        try JSONEncoder().encode(Result(calls: Int(done), hasFired: true, error: "\(thrown)"))
            .write(to: URL(fileURLWithPath: result))
    }
}
