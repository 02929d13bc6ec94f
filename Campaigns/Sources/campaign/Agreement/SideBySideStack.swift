import CampaignCore
import Foundation
import OpenCoreData

/// Contexts side by side over one store: they change the same graph, save, and merge what the others saved while their own
/// changes are pending. It belongs to one thread.
final class SideBySideStack {
    let type: String
    private let coordinator: NSPersistentStoreCoordinator
    private let sides: [GraphSide]
    private var observers: [any NSObjectProtocol] = []
    private var nextKey = 0

    init(_ model: NSManagedObjectModel, _ type: String, _ url: URL) throws {
        self.type = type
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: type == NSInMemoryStoreType ? nil : url)
        let coordinator = coordinator
        sides = try (0..<2).map { _ in try GraphSide(coordinator, isFollowed: true) }
        for side in sides {
            let others = SendableSides(sides: sides.filter { $0 !== side })
            observers.append(
                NotificationCenter.default.addObserver(
                    forName: .NSManagedObjectContextDidSave, object: side.context, queue: nil
                ) { notification in
                    for other in others.sides { other.pending.append(notification) }
                })
        }
    }

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

    // @unchecked Sendable because notifications are posted on the one thread that saves.
    private struct SendableSides: @unchecked Sendable {
        let sides: [GraphSide]
    }

    /// Does one thing in one of the contexts, the same for the same numbers.
    ///
    /// - Parameter skips: The planted defect: nothing is merged.
    /// - Returns: What came of it.
    func step(_ random: inout SplitMix64, skips: Bool) throws -> String {
        let side = random.pick(sides)
        let choice = random.below(10)
        nextKey += 1
        let key = nextKey
        var numbers = random
        defer { random = numbers }
        let outcome = try side.context.performAndWait {
            switch choice {
            case 0: return try save(side)
            case 1..<3:
                if skips { side.pending = [] } else { side.merge(&numbers) }
                let graph = try side.graph()
                try side.compareControllers()
                if !side.context.hasChanges { try compareWithStore(graph) }
                return graph
            default:
                try side.change(&numbers, key: key)
                return ""
            }
        }
        for side in sides { try side.context.requireInvariants() }
        return outcome
    }

    /// - Throws: A `CampaignFailure` where a context that had merged everything stored something else than it showed.
    private func save(_ side: GraphSide) throws -> String {
        side.context.processPendingChanges()
        let shown = side.pending.isEmpty ? try side.graph() : nil
        do {
            try side.context.save()
        } catch {
            let code = (error as NSError).code
            side.context.rollback()
            return "error \(code)"
        }
        let stored = try storedGraph()
        if let shown, shown != stored {
            throw CampaignFailure("a context stored something else than it showed", "\(shown)\n----\n\(stored)")
        }
        return stored
    }

    private func storedGraph() throws -> String {
        let fresh = try GraphSide(coordinator, isFollowed: false)
        return try fresh.context.performAndWait { try fresh.graph() }
    }

    private func compareWithStore(_ graph: String) throws {
        let stored = try storedGraph()
        guard graph == stored else {
            throw CampaignFailure(
                "a context that merged everything has something else than the store", "\(graph)\n----\n\(stored)")
        }
    }
}
