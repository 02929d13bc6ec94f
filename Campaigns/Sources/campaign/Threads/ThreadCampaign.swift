import CampaignCore
import Foundation
import OpenCoreData
import Synchronization

/// Many contexts on many threads; to be run with ThreadSanitizer and AddressSanitizer.
struct ThreadCampaign: Campaign {
    struct Input: Codable {
        var seed: UInt64
        var contexts: Int
        /// How many things each context does.
        var steps: Int
    }

    static let name = "threads"
    static let summary =
        "64 contexts on threads: saves, children, controllers, merges, undo, batches, history, generations."
    static let aim = "30 minutes with each sanitizer"
    static let casesPerProcess = 20
    static let secondsPerCase = 600
    static let memoryLimit: Int? = nil
    static let processLimit: Int? = 1

    private let workspace: Workspace
    private let template: StoreTemplate

    init(_ workspace: Workspace) throws {
        self.workspace = workspace
        template = try StoreTemplate(
            type: NSSQLiteStoreType, keepsLog: false, in: workspace.folder.appendingPathComponent("template"))
    }

    func input(_ index: Int, _ random: inout SplitMix64) throws -> Input {
        Input(seed: random.next() >> 12, contexts: index.isMultiple(of: 4) ? 8 : 64, steps: 2 + random.below(8))
    }

    mutating func run(_ input: Input, _ trial: Trial) throws {
        let folder = try trial.folder()
        try StoreTemplate.write(template.files, to: folder)
        let url = folder.appendingPathComponent(StoreTemplate.name)
        // A sanitizer makes everything ten times slower. Who waits for ever is found all the same.
        let bank = try Bank(url, isPatient: true)
        let before = try bank.verify()
        let crowd = ThreadCrowd(bank, input.seed, steps: input.steps)
        precondition(!Thread.isMainThread, "Cases of this campaign wait for the main queue.")
        let coordinator = bank.coordinator
        let lists = try onMainQueue { try [nil, "flag"].map { try EntryList(coordinator, sectionKeyPath: $0) } }
        let threads = (0..<input.contexts).map { number in
            let thread = Thread { crowd.work(number) }
            thread.stackSize = 4 << 20
            thread.start()
            return thread
        }
        while threads.contains(where: { !$0.isFinished }) { usleep(2_000) }
        let tally = crowd.tally
        for (step, count) in tally.steps { trial.count(step, by: count) }
        if let failure = tally.failure { throw failure }
        // The merges of the last saves wait on the main queue.
        let batches = try onMainQueue {
            for list in lists { try list.check() }
            return lists.reduce(0) { $0 + $1.batches }
        }
        trial.count("batches of changes of lists", by: batches)
        for (name, count) in BankEntry.takeCalls() { trial.count("override: \(name)", by: count) }
        let expected = before + tally.transfers + (workspace.isPlanted ? 1 : 0)
        guard try bank.verify() == expected else {
            throw CampaignFailure("Saves of threads are lost", "\(try bank.verify()) of \(expected)")
        }
        try bank.verifyHistory(before + tally.transfers)
        try bank.close()
        try Bank.check(url)
    }

    private func onMainQueue<Result: Sendable>(_ body: @MainActor () throws -> Result) throws -> Result {
        try DispatchQueue.main.sync { try MainActor.assumeIsolated(body) }
    }
}
