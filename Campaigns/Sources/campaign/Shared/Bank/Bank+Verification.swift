import CampaignCore
import Foundation
import OpenCoreData
import TestSupport

extension Bank {
    /// Checks that each transfer is there as a whole or not at all.
    ///
    /// - Returns: How many transfers are there.
    @discardableResult
    func verify(atLeast acknowledged: Int64 = 0, isPlanted: Bool = false) throws -> Int64 {
        try context.performAndWait {
            context.reset()
            let ledgers = try fetch("Ledger")
            guard ledgers.count == 1 else { throw CampaignFailure("The ledger is missing", "\(ledgers.count)") }
            let transfers = Self.integer(ledgers[0], "transfers")
            guard transfers >= acknowledged + (isPlanted ? 1 : 0) else {
                throw CampaignFailure("Acknowledged saves are lost", "\(transfers) of \(acknowledged) are there")
            }
            let accounts = try fetch("Account", sortedBy: "name")
            guard accounts.count == Self.accountCount else {
                throw CampaignFailure("Accounts are missing", "\(accounts.count)")
            }
            for account in accounts { try verify(account) }
            let sum = accounts.reduce(0) { $0 + Self.integer($1, "balance") }
            guard sum == 0 else { throw CampaignFailure("A transfer is there by half", "The sum is \(sum)") }
            let numbers = try fetch("Entry", sortedBy: "number").map { Self.integer($0, "number") }
            let expected = (0..<2 * transfers).map { $0 / 2 + 1 }
            guard numbers == expected else {
                throw CampaignFailure("Entries are missing or too many", "\(numbers.count) of \(expected.count)")
            }
            return transfers
        }
    }

    private func verify(_ account: NSManagedObject) throws {
        let entries = (account.value(forKey: "entries") as? NSOrderedSet)?.array.compactMap { $0 as? NSManagedObject }
        let name = account.value(forKey: "name") as? String ?? ""
        guard let entries else { throw CampaignFailure("An account has no entries", name) }
        let sum = entries.reduce(0) { $0 + Self.integer($1, "amount") }
        guard sum == Self.integer(account, "balance") else {
            throw CampaignFailure("A balance is not the sum of the entries", "\(name): \(sum)")
        }
        let numbers = entries.map { Self.integer($0, "number") }
        guard numbers == numbers.sorted() else { throw CampaignFailure("Ordered entries are out of order", name) }
        guard (account.value(forKey: "groups") as? Set<NSManagedObject>)?.count == 1 else {
            throw CampaignFailure("A group is missing", name)
        }
        let pictured = Self.integer(account, "pictured")
        let picture = account.value(forKey: "picture") as? Data
        guard picture == (pictured == 0 ? nil : Self.picture(pictured)) else {
            throw CampaignFailure("A picture is not that of its transfer", "\(name): \(picture?.count ?? -1) bytes")
        }
    }

    /// Checks a closed SQLite store with the `sqlite3` command and with the engine's checker.
    static func check(_ url: URL, version: BankModel.Version = .first, usesCommand: Bool = true) throws {
        if usesCommand {
            let answer = try SQLiteShell.run("PRAGMA integrity_check", on: url)
            guard answer == "ok" else { throw CampaignFailure("The integrity check finds damage", answer) }
        }
        let findings = try StoreChecker.findings(inStoreAt: url, model: BankModel.make(version))
        // A process that dies between writing a file and saving the row leaves a file that no row names.
        let wrong = findings.filter { $0.kind != .externalData || !$0.message.contains("belongs to no row") }
        guard wrong.isEmpty else {
            throw CampaignFailure("The checker finds something", wrong.map(\.message).joined(separator: "\n"))
        }
    }
}

extension Bank {
    /// Checks that the history of an SQLite store has each transfer once.
    func verifyHistory(_ transfers: Int64) throws {
        try context.performAndWait {
            let none: NSPersistentHistoryToken? = nil
            let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: none))
            let all = (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? []
            let numbers = all.map(\.transactionNumber)
            guard numbers == numbers.sorted(), Set(numbers).count == numbers.count else {
                throw CampaignFailure("Transactions of the history are out of order", "\(numbers)")
            }
            var inserts: Int64 = 0
            for transaction in all {
                let changes = transaction.changes ?? []
                let entries = changes.filter {
                    $0.changeType == .insert && $0.changedObjectID.entity.name == "Entry"
                }
                guard entries.isEmpty || entries.count == 2 else {
                    throw CampaignFailure("The history has a transfer by half", "\(entries.count)")
                }
                inserts += Int64(entries.count)
            }
            guard inserts == 2 * transfers else {
                throw CampaignFailure("The history has not each transfer", "\(inserts) for \(transfers)")
            }
        }
    }
}
