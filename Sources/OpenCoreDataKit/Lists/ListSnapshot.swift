/// A list as it was at one moment, as values, and what has changed since the list before it.
public struct ListSnapshot<Value: Sendable & Equatable>: Sendable {
    /// The results in sections; one section without a name where there are no sections.
    public let sections: [ListSection<Value>]
    /// Whose values they are, section by section.
    public let identifiers: [[NSManagedObjectID]]
    /// The changes since the previous list. In the first list, everything is new.
    public internal(set) var changes: ListChanges

    /// All values, section after section.
    public var values: [Value] { sections.flatMap(\.objects) }

    init(sections: [ListSection<Value>], identifiers: [[NSManagedObjectID]]) {
        self.sections = sections
        self.identifiers = identifiers
        changes = ListChanges(from: [], to: identifiers, oldNames: [], newNames: sections.map(\.name))
    }

    /// The batch that makes this list of another.
    func changes(since former: ListSnapshot) -> ListChanges {
        var values: [NSManagedObjectID: Value] = [:]
        for (ids, section) in zip(former.identifiers, former.sections) {
            for (id, value) in zip(ids, section.objects) { values[id] = value }
        }
        var updated: Set<NSManagedObjectID> = []
        for (ids, section) in zip(identifiers, sections) {
            for (id, value) in zip(ids, section.objects) where values[id] != nil && values[id] != value {
                updated.insert(id)
            }
        }
        return ListChanges(
            from: former.identifiers, to: identifiers, oldNames: former.sections.map(\.name),
            newNames: sections.map(\.name), updated: updated)
    }
}
