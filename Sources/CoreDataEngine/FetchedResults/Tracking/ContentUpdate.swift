import Foundation

/// Which results a pass concerns.
struct ChangePlan {
    /// Results that no longer belong.
    var leaving: [ResultEntry] = []
    /// Results that changed, but for what they are sorted by.
    var unmoved: [ResultEntry] = []
    /// Results that changed and still belong, perhaps elsewhere.
    var staying: [ResultEntry] = []
    /// Objects that belong now.
    var entering: [NSManagedObject] = []
    /// Those of `staying` that are reported only when they moved.
    var quiet: Set<ObjectIdentifier> = []

    var isEmpty: Bool { leaving.isEmpty && unmoved.isEmpty && staying.isEmpty && entering.isEmpty }
}

/// Applies a plan: removes the entries that it concerns from the content, and inserts those that still match.
///
/// Costs O(k log n) for k entries of n results.
struct ContentUpdate {
    private let content: ResultContent
    private let plan: ChangePlan
    private var sectionIndexes: [ObjectIdentifier: Int] = [:]
    /// Sections that have become empty, with their old index.
    private var emptied: [(section: ResultSection, index: Int)] = []
    /// Sections that were put in place.
    private var placed: [ResultSection] = []

    static func apply(_ plan: ChangePlan, to content: ResultContent) -> ContentChange {
        var update = ContentUpdate(content: content, plan: plan)
        return update.apply()
    }

    private init(content: ResultContent, plan: ChangePlan) {
        self.content = content
        self.plan = plan
    }

    /// A result that stays: its section and index before and after.
    private struct Stay {
        let entry: ResultEntry
        let oldSection: ResultSection
        let old: ResultPath
        let new: ResultPath
    }

    private mutating func apply() -> ContentChange {
        let out = plan.leaving + plan.staying
        let oldSections = out.map(\.section)
        let oldPaths = paths(of: out)
        let oldUnmoved = paths(of: plan.unmoved)
        takeOut(out)
        for entry in plan.leaving { content.forget(entry) }
        let entered = plan.entering.map { content.makeEntry($0) }
        putIn(plan.staying + entered)
        sectionIndexes = [:]
        let newPaths = paths(of: plan.staying + entered)

        var change = ContentChange()
        let moved = addSections(&change)
        for (entry, (old, new)) in zip(plan.unmoved, zip(oldUnmoved, paths(of: plan.unmoved))) {
            change.updates.append(ContentChange.Item(object: entry.object, old: old, new: new))
        }
        for (entry, path) in zip(plan.leaving, oldPaths) {
            change.deletes.append(ContentChange.Item(object: entry.object, old: path))
        }
        for (entry, path) in zip(entered, newPaths.dropFirst(plan.staying.count)) {
            change.inserts.append(ContentChange.Item(object: entry.object, new: path))
        }
        let first = plan.leaving.count
        let stays = plan.staying.indices.map { index in
            Stay(
                entry: plan.staying[index], oldSection: oldSections[first + index], old: oldPaths[first + index],
                new: newPaths[index])
        }
        classify(
            stays, moved, gone: zip(oldSections, oldPaths), come: zip(entered, newPaths.dropFirst(stays.count)), &change
        )
        change.sort()
        return change
    }

    private mutating func paths(of entries: [ResultEntry]) -> [ResultPath] {
        entries.map { entry in
            let key = ObjectIdentifier(entry.section)
            let section = sectionIndexes[key] ?? content.sections.index(of: entry.section)
            sectionIndexes[key] = section
            return ResultPath(section: section, row: entry.section.entries.index(of: entry))
        }
    }

    private mutating func takeOut(_ entries: [ResultEntry]) {
        for entry in entries {
            guard let section = content.takeOut(entry) else { continue }
            emptied.append((section, sectionIndexes[ObjectIdentifier(section)] ?? 0))
        }
    }

    private mutating func putIn(_ entries: [ResultEntry]) {
        var free = Dictionary(uniqueKeysWithValues: emptied.map { ($0.section.name, $0.section) })
        for entry in entries {
            if let section = content.putIn(entry, emptied: &free) { placed.append(section) }
        }
    }

    // MARK: Sections

    /// Reports sections that went and came.
    ///
    /// - Returns: Sections that are there as before, but elsewhere: there is no move of sections, so they go and come.
    private func addSections(_ change: inout ContentChange) -> Set<ObjectIdentifier> {
        let newIndexes = placed.map { content.sections.index(of: $0) }
        let oldIndexes = Dictionary(uniqueKeysWithValues: emptied.map { (ObjectIdentifier($0.section), $0.index) })
        let returned = placed.indices.filter { oldIndexes[ObjectIdentifier(placed[$0])] != nil }
        let positions = returned.map { position in
            OrderKeeping.Position(old: oldIndexes[ObjectIdentifier(placed[position])] ?? 0, new: newIndexes[position])
        }
        let kept = OrderKeeping.kept(positions, removed: emptied.map(\.index), inserted: newIndexes)
        let stayed = Set(zip(returned, kept).filter(\.1).map { ObjectIdentifier(placed[$0.0]) })
        for (section, index) in emptied where !stayed.contains(ObjectIdentifier(section)) {
            // The section itself may be in use again; the one that went has nothing in it.
            let info = section.entries.isEmpty ? section : ResultSection(name: section.name, like: section)
            change.deletedSections.append(ContentChange.Section(info: info, index: index))
        }
        for (section, index) in zip(placed, newIndexes) where !stayed.contains(ObjectIdentifier(section)) {
            change.insertedSections.append(ContentChange.Section(info: section, index: index))
        }
        return Set(returned.map { ObjectIdentifier(placed[$0]) }).subtracting(stayed)
    }

    // MARK: Rows

    private struct SectionRows {
        var removed: [Int] = []
        var inserted: [Int] = []
        var stays: [Stay] = []
    }

    /// Distinguishes results that kept their position from those that moved.
    private func classify(
        _ stays: [Stay], _ movedSections: Set<ObjectIdentifier>,
        gone: some Sequence<(ResultSection, ResultPath)>, come: some Sequence<(ResultEntry, ResultPath)>,
        _ change: inout ContentChange
    ) {
        var rows: [ObjectIdentifier: SectionRows] = [:]
        for (section, path) in gone { rows[ObjectIdentifier(section), default: SectionRows()].removed.append(path.row) }
        for (entry, path) in come {
            rows[ObjectIdentifier(entry.section), default: SectionRows()].inserted.append(path.row)
        }
        for stay in stays {
            let section = ObjectIdentifier(stay.entry.section)
            rows[section, default: SectionRows()].inserted.append(stay.new.row)
            if stay.oldSection === stay.entry.section, !movedSections.contains(section) {
                rows[section, default: SectionRows()].stays.append(stay)
            } else {
                change.moves.append(item(stay))
            }
        }
        for section in rows.values where !section.stays.isEmpty {
            let positions = section.stays.map { OrderKeeping.Position(old: $0.old.row, new: $0.new.row) }
            let kept = OrderKeeping.kept(positions, removed: section.removed, inserted: section.inserted)
            for (stay, isKept) in zip(section.stays, kept) {
                if !isKept {
                    change.moves.append(item(stay))
                } else if !plan.quiet.contains(ObjectIdentifier(stay.entry.object)) {
                    change.updates.append(item(stay))
                }
            }
        }
    }

    private func item(_ stay: Stay) -> ContentChange.Item {
        ContentChange.Item(object: stay.entry.object, old: stay.old, new: stay.new)
    }
}
