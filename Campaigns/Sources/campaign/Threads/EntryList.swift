import CampaignCore
import Foundation
import OpenCoreData
import OpenCoreDataKit

/// A live list of the entries, on the main queue, while threads save.
@MainActor final class EntryList {
    private let context: NSManagedObjectContext
    private let results: LiveResults<NSManagedObject>
    private var copy: [[NSManagedObject]]
    private var problem: CampaignFailure?
    private(set) var batches = 0

    init(_ coordinator: NSPersistentStoreCoordinator, sectionKeyPath: String?) throws {
        context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.automaticallyMergesChangesFromParent = true
        let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
        let keys: [String] = (sectionKeyPath.map { [$0] } ?? []) + ["number", "amount"]
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        results = try LiveResults(request: request, sectionKeyPath: sectionKeyPath, in: context)
        copy = results.state.rows
        results.didChange = { [weak self] in self?.take($0) }
    }

    private func take(_ changes: ListChanges) {
        batches += 1
        do {
            copy = try changes.applied(to: copy) { path in
                guard let entry = results[path] else { throw ListChanges.Violation("There is no row \(path).") }
                return entry
            }
        } catch {
            problem = problem ?? CampaignFailure("The changes of a list break its rules", "\(error): \(changes)")
        }
    }

    /// Call it after the last save and the last merge.
    func check() throws {
        if let problem { throw problem }
        guard copy == results.state.rows else { throw CampaignFailure("The changes of a list don't lead to the list") }
        let fresh = try context.fetch(results.request)
        let listed = results.objects
        guard fresh != listed else { return }
        let index = zip(fresh, listed).enumerated().first { $1.0 !== $1.1 }?.offset ?? min(fresh.count, listed.count)
        throw CampaignFailure(
            "A list is not what a fetch finds",
            "\(listed.count) listed, \(fresh.count) found; at \(index): \(Self.text(listed, index)), "
                + "\(Self.text(fresh, index))")
    }

    private static func text(_ entries: [NSManagedObject], _ index: Int) -> String {
        entries[index...].prefix(3).map { entry in
            let values = ["number", "amount", "flag"].map { "\(entry.value(forKey: $0) ?? "nil")" }
            return "\(entry.objectID.uriRepresentation().lastPathComponent) \(values.joined(separator: " "))"
                + (entry.isDeleted ? " deleted" : "") + (entry.isFault ? " fault" : "")
        }.description
    }
}
