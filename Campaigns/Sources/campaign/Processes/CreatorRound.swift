import CampaignCore
import Foundation
import OpenCoreData
import Synchronization

/// Openers of a store that isn't there yet, which begin at the same moment.
struct CreatorRound {
    let input: ProcessCampaign.Input
    let creators: ProcessCampaign.Creators
    let isPlanted: Bool

    private var kind: String { "\(input.storeType) made by \(creators.rawValue)" }

    func run(_ server: ForkServer, _ trial: Trial) throws {
        let folder = try trial.folder()
        let isOnServer = input.storeType == ServerStore.type
        guard let store = isOnServer ? ServerStore.place("c") : folder.appendingPathComponent(StoreTemplate.name) else {
            return
        }
        let path = isOnServer ? store.absoluteString : store.path
        let start = ProcessInfo.processInfo.systemUptime + 0.02
        let works = (1...input.processes).map { number in
            CreatorWork(
                store: path, storeType: input.storeType, number: number, start: start,
                acknowledgments: folder.appendingPathComponent("acks-\(number)").path)
        }
        switch creators {
        case .processes: try runProcesses(works, server, errors: folder.appendingPathComponent("errors"))
        case .threads: try runThreads(works)
        }
        try verify(works, store, folder)
        if isOnServer {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BankModel.make())
            try coordinator.destroyPersistentStore(at: store, ofType: input.storeType)
        }
        trial.count("stores of \(kind)")
    }

    private func runProcesses(_ works: [CreatorWork], _ server: ForkServer, errors: URL) throws {
        let processes = try works.map { try CreatorActor.start($0, server, errors: errors) }
        defer { for process in processes { process.kill() } }
        for process in processes {
            let end = process.wait()
            guard end == .exited(0) else {
                let words = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
                throw CampaignFailure("\(kind): an opener is refused", "\(end): \(words)")
            }
        }
    }

    private func runThreads(_ works: [CreatorWork]) throws {
        let failures = Failures()
        let ended = DispatchGroup()
        for work in works {
            ended.enter()
            let thread = Thread {
                do { try work.run() } catch { failures.add("\(error)") }
                ended.leave()
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
        ended.wait()
        guard let first = failures.first else { return }
        throw CampaignFailure("\(kind): an opener is refused", first)
    }

    private final class Failures: Sendable {
        private let sentences = Mutex<[String]>([])

        var first: String? { sentences.withLock { $0.first } }

        func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
    }

    /// Each save that was acknowledged is there with its value, and nothing else is.
    private func verify(_ works: [CreatorWork], _ store: URL, _ folder: URL) throws {
        let acknowledged = try works.map { try AckFile($0.acknowledgments).value }
        let bank = try Bank(store, type: input.storeType)
        let found = try bank.context.performAndWait {
            try bank.fetch("Account", sortedBy: "name").map { account in
                let name = account.value(forKey: "name") as? String ?? ""
                let number = Int64(name.dropFirst(CreatorWork.prefix.count)) ?? 0
                let isWhole = account.value(forKey: "picture") as? Data == Bank.picture(number)
                return isWhole ? number : -number
            }
        }
        try bank.close()
        let expected = acknowledged + (isPlanted ? [0] : [])
        guard found.sorted() == expected.sorted() else {
            throw CampaignFailure("\(kind): saves are lost", "\(found.sorted()) instead of \(expected.sorted())")
        }
        if input.storeType == NSSQLiteStoreType {
            let findings = try StoreChecker.findings(inStoreAt: store, model: BankModel.make())
            guard findings.isEmpty else {
                throw CampaignFailure(
                    "\(kind): the checker finds something", findings.map(\.message).joined(separator: "\n"))
            }
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".lock") || $0.hasSuffix("-migration") || $0.hasSuffix(".new") }
        guard left.isEmpty else { throw CampaignFailure("\(kind): files are left over", left.joined(separator: ", ")) }
    }
}
