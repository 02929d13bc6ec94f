import Foundation
import OpenCoreData
import Testing

/// A delegate that writes down what it is told, and carries it out on a list of lists as a table view carries out a
/// batch.
final class ChangeRecorder: NSObject, NSFetchedResultsControllerDelegate {
    enum Event: Equatable {
        case willChange
        case didChange
        case section(String, Int, NSFetchedResultsChangeType)
        case object(NSObject, IndexPath?, NSFetchedResultsChangeType, IndexPath?)
    }

    /// A section with its objects.
    struct Section: Equatable {
        var name: String
        var objects: [NSManagedObject] = []
    }

    private(set) var events: [Event] = []
    /// What a table would show.
    private(set) var shown: [Section] = []
    /// Sections as they were reported, with how many objects they had then.
    private(set) var sectionCounts: [Int] = []
    private(set) var failures: [String] = []

    private struct Batch {
        var deletedSections: Set<Int> = []
        var insertedSections: [(index: Int, name: String)] = []
        var removed: [IndexPath: NSManagedObject] = [:]
        var inserted: [(path: IndexPath, object: NSManagedObject)] = []
        var updated: [(old: IndexPath, new: IndexPath, object: NSManagedObject)] = []
    }

    private var batch = Batch()

    /// Shows what a controller has now.
    func show<T>(_ controller: NSFetchedResultsController<T>) {
        shown = Self.sections(of: controller)
        clear()
    }

    func clear() {
        events = []
        sectionCounts = []
    }

    static func sections<T>(of controller: NSFetchedResultsController<T>) -> [Section] {
        (controller.sections ?? []).map { section in
            Section(name: section.name, objects: (section.objects ?? []).compactMap { $0 as? NSManagedObject })
        }
    }

    /// The object events without the object.
    var changes: [NSFetchedResultsChangeType] {
        events.compactMap { if case .object(_, _, let type, _) = $0 { type } else { nil } }
    }

    var sectionChanges: [NSFetchedResultsChangeType] {
        events.compactMap { if case .section(_, _, let type) = $0 { type } else { nil } }
    }

    private func check(_ condition: Bool, _ sentence: @autoclosure () -> String) {
        if !condition { failures.append(sentence()) }
    }

    // MARK: Delegate

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        check(events.isEmpty || events.last == .didChange, "will-change inside of a change")
        check(Self.sections(of: controller) == shown, "will-change shows other results than before")
        batch = Batch()
        events.append(.willChange)
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        events.append(.section(sectionInfo.name, sectionIndex, type))
        sectionCounts.append(sectionInfo.numberOfObjects)
        if type == .delete {
            check(sectionInfo.numberOfObjects == 0, "a deleted section has objects")
            check(
                shown.indices.contains(sectionIndex) && shown[sectionIndex].name == sectionInfo.name, "no such section")
            let left = shown.indices.contains(sectionIndex) ? shown[sectionIndex].objects.indices : 0..<0
            check(
                left.allSatisfy { batch.removed[IndexPath(row: $0, section: sectionIndex)] != nil },
                "a section goes before its objects")
            batch.deletedSections.insert(sectionIndex)
        } else {
            check(!batch.inserted.contains { $0.path.section == sectionIndex }, "a section comes after its objects")
            check(type == .insert && sectionInfo.numberOfObjects > 0, "an inserted section is empty")
            batch.insertedSections.append((sectionIndex, sectionInfo.name))
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        guard let object = anObject as? NSManagedObject else { return failures.append("no managed object") }
        events.append(.object(object, indexPath, type, newIndexPath))
        check((indexPath == nil) == (type == .insert), "old index path for \(type)")
        check((newIndexPath == nil) == (type == .delete), "new index path for \(type)")
        if let newIndexPath { check(controller.object(at: newIndexPath) === object, "another object at the new path") }
        if let indexPath {
            let rows = shown.indices.contains(indexPath.section) ? shown[indexPath.section].objects : []
            check(
                rows.indices.contains(indexPath.row) && rows[indexPath.row] === object, "another object at the old path"
            )
        }
        if type == .update, let indexPath, let newIndexPath {
            batch.updated.append((indexPath, newIndexPath, object))
            return
        }
        if let indexPath {
            check(batch.removed.updateValue(object, forKey: indexPath) == nil, "removed twice")
        }
        if let newIndexPath { batch.inserted.append((newIndexPath, object)) }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        events.append(.didChange)
        carryOut()
        let actual = Self.sections(of: controller)
        check(actual == shown, "the batch gives \(describe(shown)) and not \(describe(actual))")
        for update in batch.updated {
            let rows = shown.indices.contains(update.new.section) ? shown[update.new.section].objects : []
            check(
                rows.indices.contains(update.new.row) && rows[update.new.row] === update.object,
                "an updated object is not at its new path")
        }
    }

    private func describe(_ sections: [Section]) -> String {
        sections.map { "\($0.name): \($0.objects.map(\.objectID))" }.joined(separator: "; ")
    }

    /// Removals by old positions, then insertions by new ones, sections before rows.
    private func carryOut() {
        var result: [Section] = []
        for (index, section) in shown.enumerated() {
            let kept = section.objects.enumerated().filter {
                batch.removed[IndexPath(row: $0.offset, section: index)] == nil
            }.map(\.element)
            if batch.deletedSections.contains(index) {
                check(kept.isEmpty, "a deleted section keeps objects")
            } else {
                result.append(Section(name: section.name, objects: kept))
            }
        }
        for section in batch.insertedSections.sorted(by: { $0.index < $1.index }) {
            guard section.index <= result.count else { return failures.append("a section beyond the end") }
            result.insert(Section(name: section.name), at: section.index)
        }
        for row in batch.inserted.sorted(by: { $0.path < $1.path }) {
            guard result.indices.contains(row.path.section),
                row.path.row <= result[row.path.section].objects.count
            else { return failures.append("a row beyond the end") }
            result[row.path.section].objects.insert(row.object, at: row.path.row)
        }
        shown = result
    }
}
