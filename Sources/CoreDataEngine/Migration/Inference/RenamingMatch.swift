/// Finds for each thing of a new model its former self in the old one, by names and renaming identifiers.
struct RenamingMatch<Item: AnyObject> {
    /// What identifies an item.
    struct Names {
        var name: String
        /// The renaming identifier where it was set and is another name.
        var formerName: String?
    }

    private let names: (Item) -> Names
    private var claimed: Set<ObjectIdentifier> = []
    private(set) var sources: [ObjectIdentifier: Item] = [:]

    /// Matches.
    ///
    /// A renaming identifier counts more than a name: in a model where A became B, a new A has nothing to do with the old
    /// one. An identifier that stayed from an earlier renaming leads to the item of the same name.
    init(from old: [Item], to new: [Item], names: @escaping (Item) -> Names) {
        self.names = names
        let oldNames = Dictionary(old.map { (names($0).name, $0) }, uniquingKeysWith: { first, _ in first })
        let formerNames = Dictionary(
            old.compactMap { item in names(item).formerName.map { ($0, item) } },
            uniquingKeysWith: { first, _ in first })
        for item in new {
            guard let former = names(item).formerName, let same = oldNames[names(item).name],
                names(same).formerName == former
            else { continue }
            claim(same, for: item)
        }
        for item in new where sources[ObjectIdentifier(item)] == nil {
            guard let former = names(item).formerName else { continue }
            for case let candidate? in [oldNames[former], formerNames[former]] { claim(candidate, for: item) }
        }
        for item in new where sources[ObjectIdentifier(item)] == nil {
            for case let candidate? in [oldNames[names(item).name], formerNames[names(item).name]] {
                claim(candidate, for: item)
            }
        }
    }

    /// The former self of an item.
    func source(of item: Item) -> Item? { sources[ObjectIdentifier(item)] }

    private mutating func claim(_ source: Item, for item: Item) {
        guard sources[ObjectIdentifier(item)] == nil, claimed.insert(ObjectIdentifier(source)).inserted else { return }
        sources[ObjectIdentifier(item)] = source
    }
}

extension RenamingMatch.Names {
    init(name: String, identifier: String?) {
        self.init(name: name, formerName: identifier == name ? nil : identifier)
    }
}
