import CampaignCore
import Foundation
import OpenCoreData

/// What one of several openers of a store does that isn't there yet, all at the same moment: it opens the store and saves.
struct CreatorWork: Codable {
    /// The path of a file, or the URL of a store on a server.
    var store: String
    var storeType: String
    /// Which one of the openers it is, from 1.
    var number: Int
    /// When to begin, in seconds since the system was started.
    var start: TimeInterval
    /// The file that takes the number when the save is acknowledged.
    var acknowledgments: String

    private var url: URL {
        if store.contains("://"), let url = URL(string: store) { return url }
        return URL(fileURLWithPath: store)
    }

    /// What the names of the accounts begin with.
    static let prefix = "Creator "

    func run() throws {
        let ack = try AckFile(acknowledgments)
        while ProcessInfo.processInfo.systemUptime < start { usleep(100) }
        // The first opening has to succeed; a file that is written whole may have to be opened again for a save.
        var bank = try Bank(url, type: storeType)
        while true {
            do {
                try save(bank)
                break
            } catch  where storeType != NSSQLiteStoreType && (error as NSError).code == NSPersistentStoreSaveError {
                bank = try Bank(url, type: storeType)
            }
        }
        ack.value = Int64(number)
        try bank.close()
    }

    private func save(_ bank: Bank) throws {
        try bank.context.performAndWait {
            let account = bank.new("Account")
            account.setValue(Self.prefix + "\(number)", forKey: "name")
            account.setValue(Bank.picture(Int64(number)), forKey: "picture")
            try bank.context.save()
        }
    }
}

/// A process that opens a store which isn't there yet.
enum CreatorActor {
    static let name = "creator"

    static func start(_ work: CreatorWork, _ server: ForkServer, errors: URL) throws -> ChildProcess {
        let json = String(decoding: try JSONEncoder().encode(work), as: UTF8.self)
        return try server.start([name, json], errors: errors)
    }

    static func run(_ arguments: [String]) throws {
        try JSONDecoder().decode(CreatorWork.self, from: Data((arguments.last ?? "").utf8)).run()
    }
}
