import CampaignCore
import Foundation
import OpenCoreData
import Synchronization

/// What threads do with contexts on one coordinator.
final class ThreadCrowd: Sendable {
    struct Tally {
        var transfers: Int64 = 0
        var steps: [String: Int] = [:]
        var failure: CampaignFailure?
    }

    private let coordinator: NSPersistentStoreCoordinator
    private let seed: UInt64
    private let steps: Int
    private let counts = Mutex(Tally())

    var tally: Tally { counts.withLock { $0 } }

    init(_ bank: Bank, _ seed: UInt64, steps: Int) {
        coordinator = bank.coordinator
        self.seed = seed
        self.steps = steps
    }

    private enum Step: String, CaseIterable {
        case transfer, read, child, controller, undo, reset, batch, history, generation, asynchronous
    }

    /// The life of one thread.
    func work(_ number: Int) {
        var random = SplitMix64(seed: seed, case: number)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.automaticallyMergesChangesFromParent = random.chance(50)
        for _ in 0..<steps where tally.failure == nil {
            let step = random.pick(Step.allCases)
            do {
                try run(step, context, &random)
                counts.withLock { $0.steps[step.rawValue, default: 0] += 1 }
            } catch  where BankWork.isConflict(error) {
                counts.withLock { $0.steps["\(step.rawValue): conflict", default: 0] += 1 }
                context.performAndWait { context.reset() }
            } catch let failure as CampaignFailure {
                counts.withLock { $0.failure = failure }
            } catch {
                let failure = CampaignFailure("\(step.rawValue) on a thread fails", "\(error)")
                counts.withLock { $0.failure = failure }
            }
        }
        context.performAndWait { context.reset() }
    }

    private func run(_ step: Step, _ context: NSManagedObjectContext, _ random: inout SplitMix64) throws {
        var numbers = SplitMix64(seed: random.next())
        switch step {
        case .transfer: try transfer(context, &numbers)
        case .read: try context.performAndWait { try Self.read(context) }
        case .child: try child(&numbers)
        case .controller: try controller(context, &numbers)
        case .undo: try undo(context)
        case .reset: context.performAndWait { context.reset() }
        case .batch:
            try context.performAndWait {
                let update = NSBatchUpdateRequest(entityName: "Entry")
                update.propertiesToUpdate = ["memo": "batch"]
                update.predicate = NSPredicate(format: "number <= 2")
                _ = try context.execute(update)
            }
        case .history:
            try context.performAndWait {
                let none: NSPersistentHistoryToken? = nil
                _ = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: none))
            }
        case .generation:
            try context.performAndWait {
                try context.setQueryGenerationFrom(.current)
                try Self.read(context)
                try context.setQueryGenerationFrom(nil)
            }
        case .asynchronous:
            try context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
                _ = try context.execute(NSAsynchronousFetchRequest(fetchRequest: request, completionBlock: nil))
            }
        }
    }

    /// A transfer like `Bank.transfer`, in a context of this thread.
    private func transfer(_ context: NSManagedObjectContext, _ random: inout SplitMix64) throws {
        try context.performAndWait {
            context.rollback()
            try Bank.transfer(in: context, &random)
            try context.save()
        }
        counts.withLock { $0.transfers += 1 }
    }

    private static func read(_ context: NSManagedObjectContext) throws {
        for account in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Account")) {
            _ = account.value(forKey: "name")
            _ = (account.value(forKey: "entries") as? NSOrderedSet)?.count
            _ = (account.value(forKey: "groups") as? Set<NSManagedObject>)?.map { $0.value(forKey: "name") }
            _ = (account.value(forKey: "picture") as? Data)?.count
        }
    }

    private func child(_ random: inout SplitMix64) throws {
        // A context that merges between the child's save and its own would rightly save over what others saved.
        let parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        parent.persistentStoreCoordinator = coordinator
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try child.performAndWait {
            try Bank.transfer(in: child, &random)
            try child.save()
        }
        try parent.performAndWait { try parent.save() }
        counts.withLock { $0.transfers += 1 }
    }

    private func controller(_ context: NSManagedObjectContext, _ random: inout SplitMix64) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Account")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        try context.performAndWait { try controller.performFetch() }
        try transfer(context, &random)
        let count = context.performAndWait { controller.fetchedObjects?.count }
        guard count == Bank.accountCount else {
            throw CampaignFailure("A controller on a thread shows something else", "\(count ?? -1)")
        }
    }

    private func undo(_ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            context.rollback()
            context.undoManager = UndoManager()
            defer { context.undoManager = nil }
            for account in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Account")) {
                account.setValue(Int64(1_000_000), forKey: "balance")
            }
            context.processPendingChanges()
            context.undo()
            context.redo()
            context.undo()
            context.rollback()
        }
    }
}
