import Foundation

/// The results of a controller: sections in order, each with its results in order.
final class ResultContent {
    let sections: OrderedTree<ResultSection>
    private(set) var sectionsByName: [String: ResultSection] = [:]
    private(set) var entries: [ObjectIdentifier: ResultEntry] = [:]
    private let order: SortOrder
    private let naming: SectionNaming?
    private weak var controller: FetchedResultsCore?
    private var nextRank: Int
    /// Where entries are that have no position yet.
    private let nowhere = ResultSection(name: "", controller: nil)

    /// Takes over objects that are in order.
    ///
    /// - Parameter known: Names and sizes of the sections, if they are known from a cache.
    /// - Throws: An error when a section's objects don't stand together, or its key path is not known.
    init(
        _ objects: [AnyObject], order: SortOrder, naming: SectionNaming?, controller: FetchedResultsCore,
        known: [CachedSection]? = nil
    ) throws {
        self.order = order
        self.naming = naming
        self.controller = controller
        nextRank = objects.count
        var builder = SectionBuilder(naming: naming, controller: controller)
        try builder.add(objects, known)
        sections = OrderedTree(builder.sections)
        sectionsByName = builder.sectionsByName
        entries = builder.entries
    }

    var count: Int { entries.count }

    func entry(for object: AnyObject) -> ResultEntry? { entries[ObjectIdentifier(object)] }

    /// The entry at an index path; `nil` if the index path is out of bounds.
    func entry(at path: ResultPath) -> ResultEntry? {
        guard path.section >= 0, path.section < sections.count else { return nil }
        let section = sections[path.section]
        guard path.row >= 0, path.row < section.entries.count else { return nil }
        return section.entries[path.row]
    }

    func path(of entry: ResultEntry) -> ResultPath {
        ResultPath(section: sections.index(of: entry.section), row: entry.section.entries.index(of: entry))
    }

    /// What is wrong with trees, names and entries, for tests; empty when they are in order and agree.
    func checkInvariants() -> [String] {
        var count = 0
        var broken = sections.checkInvariants()
        if sections.count != sectionsByName.count {
            broken.append("\(sectionsByName.count) names for \(sections.count) sections")
        }
        sections.visit { section in
            broken += section.entries.checkInvariants()
            if sectionsByName[section.name] !== section { broken.append("'\(section.name)' leads to another section") }
            section.entries.visit { node in
                if node.section !== section { broken.append("an entry of '\(section.name)' is of another section") }
                if entry(for: node.object) !== node { broken.append("an object leads to another entry") }
            }
            count += section.entries.count
        }
        if count != entries.count { broken.append("\(entries.count) objects for \(count) entries") }
        return broken
    }

    func visit(_ body: (ResultEntry) -> Void) { sections.visit { $0.entries.visit(body) } }

    // MARK: Changing

    /// The name of the section in which an object would be now.
    func sectionName(of object: AnyObject) -> String {
        guard let naming else { return "" }
        return (try? naming.name(of: object)) ?? ""
    }

    /// Whether an entry would keep its position if it were inserted again.
    func isUnchanged(_ entry: ResultEntry) -> Bool {
        guard let keys = entry.keys, order.areSame(keys, order.keys(of: entry.object)) else { return false }
        return naming == nil || sectionName(of: entry.object) == entry.section.name
    }

    /// Notes by what an entry is sorted before its object changes.
    func recordKeys(of entry: ResultEntry) {
        if entry.keys == nil { entry.keys = order.keys(of: entry.object) }
    }

    /// Takes an entry out of its position. A section that has become empty goes with it, and is returned.
    func takeOut(_ entry: ResultEntry) -> ResultSection? {
        let section = entry.section
        section.entries.remove(entry)
        guard section.entries.isEmpty, naming != nil else { return nil }
        sections.remove(section)
        sectionsByName[section.name] = nil
        return section
    }

    /// Forgets an entry that was taken out.
    func forget(_ entry: ResultEntry) { entries[ObjectIdentifier(entry.object)] = nil }

    /// Puts an entry that was taken out, or is new, where it belongs now.
    ///
    /// - Parameter emptied: Sections that have gone during the same change, to be used again.
    /// - Returns: The section, if it had to be put in place as well.
    func putIn(_ entry: ResultEntry, emptied: inout [String: ResultSection]) -> ResultSection? {
        entry.keys = order.keys(of: entry.object)
        let name = sectionName(of: entry.object)
        if let section = sectionsByName[name] {
            entry.section = section
            section.entries.insert(entry) { order.precedes(entry, $0) }
            return nil
        }
        let section = emptied.removeValue(forKey: name) ?? ResultSection(name: name, controller: controller)
        entry.section = section
        section.entries.insert(entry) { _ in false }
        sectionsByName[name] = section
        sections.insert(section) { other in other.entries.first.map { order.precedes(entry, $0) } ?? true }
        return section
    }

    /// A new entry for an object, not yet in place.
    func makeEntry(_ object: AnyObject) -> ResultEntry {
        let entry = ResultEntry(object: object, rank: nextRank, section: nowhere)
        nextRank += 1
        entries[ObjectIdentifier(object)] = entry
        return entry
    }
}

/// Cuts a list of objects into sections.
private struct SectionBuilder {
    let naming: SectionNaming?
    let controller: FetchedResultsCore
    private(set) var sections: ContiguousArray<ResultSection> = []
    private(set) var sectionsByName: [String: ResultSection] = [:]
    private(set) var entries: [ObjectIdentifier: ResultEntry] = [:]
    private var run: ContiguousArray<ResultEntry> = []
    private var unknownKey: (any Error)?
    private var isKeyKnown = false

    init(naming: SectionNaming?, controller: FetchedResultsCore) {
        self.naming = naming
        self.controller = controller
    }

    mutating func add(_ objects: [AnyObject], _ known: [CachedSection]?) throws {
        entries.reserveCapacity(objects.count)
        if naming == nil {
            try begin("", at: 0)
            for (index, object) in objects.enumerated() { append(object, index) }
        } else if let known {
            try addKnown(objects, known)
        } else {
            try addNamed(objects)
        }
        finishRun()
    }

    private mutating func addKnown(_ objects: [AnyObject], _ known: [CachedSection]) throws {
        var index = 0
        for section in known {
            try begin(section.name, at: index)
            for _ in 0..<section.count {
                append(objects[index], index)
                index += 1
            }
        }
    }

    private mutating func addNamed(_ objects: [AnyObject]) throws {
        for (index, object) in objects.enumerated() {
            let name = try name(of: object)
            if sections.last?.name != name { try begin(name, at: index) }
            append(object, index)
        }
        if !isKeyKnown, let unknownKey { throw unknownKey }
    }

    /// A key that the model doesn't have may be nil for some objects, if a class has it. If it is nil for all, it is
    /// unknown.
    private mutating func name(of object: AnyObject) throws -> String {
        guard let naming else { return "" }
        do {
            let name = try naming.name(of: object)
            isKeyKnown = true
            return name
        } catch {
            if naming.isModeled { throw error }
            unknownKey = unknownKey ?? error
            return ""
        }
    }

    private mutating func begin(_ name: String, at index: Int) throws {
        finishRun()
        guard sectionsByName[name] == nil else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The fetched object at index \(index) has an out of order section name '\(name)'. Objects must be sorted "
                    + "by section name: the first sort descriptor has to go with the key path "
                    + "'\(naming?.keyPath ?? "")'.")
        }
        let section = ResultSection(name: name, controller: controller)
        sections.append(section)
        sectionsByName[name] = section
    }

    private mutating func append(_ object: AnyObject, _ index: Int) {
        let entry = ResultEntry(object: object, rank: index, section: sections[sections.count - 1])
        run.append(entry)
        entries[ObjectIdentifier(object)] = entry
    }

    private mutating func finishRun() {
        guard let section = sections.last else { return }
        section.entries = OrderedTree(run)
        run.removeAll()
    }
}
