#if !canImport(Darwin)
/// The sections and items of a list by their identifiers, as a value.
///
/// Identifiers are unique: one that is there already and is added again is left where it is.
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType: Hashable, ItemIdentifierType: Hashable> {
    fileprivate struct Section {
        let identifier: SectionIdentifierType
        var items: [ItemIdentifierType] = []
    }

    fileprivate var sections: [Section] = []
    private var sectionsByItem: [ItemIdentifierType: SectionIdentifierType] = [:]
    /// Items whose content changed.
    public private(set) var reloadedItemIdentifiers: [ItemIdentifierType] = []
    /// Sections whose content changed.
    public private(set) var reloadedSectionIdentifiers: [SectionIdentifierType] = []
    /// Items whose cells need to be reconfigured.
    public private(set) var reconfiguredItemIdentifiers: [ItemIdentifierType] = []

    /// Creates an empty snapshot.
    ///
    /// Add sections before items: items without a section are dropped.
    public init() {}

    /// Creates a snapshot with the content of one that a fetched results controller passed to its delegate.
    ///
    /// On Apple's platforms that is the cast `as`. Identifiers of other types are left out.
    ///
    /// - Parameter reference: The controller's snapshot.
    public init(_ reference: NSDiffableDataSourceSnapshotReference) {
        let content = reference.content
        for section in content.sections {
            guard let identifier = section.identifier.base as? SectionIdentifierType else { continue }
            appendSections([identifier])
            appendItems(section.items.compactMap { $0.base as? ItemIdentifierType }, toSection: identifier)
        }
        reloadedItemIdentifiers = content.reloadedItemIdentifiers.compactMap { $0.base as? ItemIdentifierType }
    }

    // MARK: Content

    /// How many items there are.
    public var numberOfItems: Int { sectionsByItem.count }
    /// The number of sections.
    public var numberOfSections: Int { sections.count }
    /// The sections in order.
    public var sectionIdentifiers: [SectionIdentifierType] { sections.map(\.identifier) }
    /// The items in order.
    public var itemIdentifiers: [ItemIdentifierType] { sections.flatMap(\.items) }

    /// The number of items in a section.
    ///
    /// The number is 0 if the snapshot doesn't have the section.
    ///
    /// - Parameter identifier: The section.
    public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
        indexOfSection(identifier).map { sections[$0].items.count } ?? 0
    }

    /// The items of a section in order.
    ///
    /// The array is empty if the snapshot doesn't have the section.
    ///
    /// - Parameter identifier: The section.
    public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
        indexOfSection(identifier).map { sections[$0].items } ?? []
    }

    /// The section that has an item.
    ///
    /// The result is `nil` if the snapshot doesn't have the item. The look-up takes constant time.
    ///
    /// - Parameter identifier: The item.
    public func sectionIdentifier(containingItem identifier: ItemIdentifierType) -> SectionIdentifierType? {
        sectionsByItem[identifier]
    }

    /// The index of an item among all items.
    ///
    /// The items of the sections before it count. The result is `nil` if the snapshot doesn't have the item. The time
    /// grows with the numbers of sections and of items in the section.
    ///
    /// - Parameter identifier: The item.
    public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? {
        guard let position = position(of: identifier) else { return nil }
        return sections[..<position.section].reduce(0) { $0 + $1.items.count } + position.item
    }

    /// The index of a section.
    ///
    /// The result is `nil` if the snapshot doesn't have the section. The time grows with the number of sections.
    ///
    /// - Parameter identifier: The section.
    public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
        sections.firstIndex { $0.identifier == identifier }
    }

    // MARK: Sections

    /// Adds sections at the end.
    ///
    /// Sections that are there already stay where they are, and one that is named twice is added once.
    ///
    /// - Parameter identifiers: The identifiers of the sections.
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
        insert(identifiers, at: sections.count)
    }

    /// Adds sections before another one.
    ///
    /// Sections that are there already stay where they are.
    ///
    /// - Parameters:
    ///   - identifiers: The identifiers of the sections.
    ///   - toIdentifier: The other section. Without it, nothing is done.
    public mutating func insertSections(
        _ identifiers: [SectionIdentifierType], beforeSection toIdentifier: SectionIdentifierType
    ) {
        indexOfSection(toIdentifier).map { insert(identifiers, at: $0) }
    }

    /// Adds sections after another one.
    ///
    /// Sections that are there already stay where they are.
    ///
    /// - Parameters:
    ///   - identifiers: The identifiers of the sections.
    ///   - toIdentifier: The other section. Without it, nothing is done.
    public mutating func insertSections(
        _ identifiers: [SectionIdentifierType], afterSection toIdentifier: SectionIdentifierType
    ) {
        indexOfSection(toIdentifier).map { insert(identifiers, at: $0 + 1) }
    }

    /// Removes sections with their items.
    ///
    /// Identifiers that aren't in the snapshot are ignored.
    ///
    /// - Parameter identifiers: The identifiers of the sections.
    public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
        let gone = Set(identifiers)
        deleteItems(sections.filter { gone.contains($0.identifier) }.flatMap(\.items))
        sections.removeAll { gone.contains($0.identifier) }
        reloadedSectionIdentifiers.removeAll { gone.contains($0) }
    }

    /// Moves a section before another one.
    ///
    /// The section keeps its items. Nothing happens if the snapshot doesn't have the section, or if both are the same.
    ///
    /// - Parameters:
    ///   - identifier: The section.
    ///   - toIdentifier: The other section. Without it, nothing is done.
    public mutating func moveSection(
        _ identifier: SectionIdentifierType, beforeSection toIdentifier: SectionIdentifierType
    ) {
        move(identifier, to: toIdentifier, offset: 0)
    }

    /// Moves a section after another one.
    ///
    /// The section keeps its items. Nothing happens if the snapshot doesn't have the section, or if both are the same.
    ///
    /// - Parameters:
    ///   - identifier: The section.
    ///   - toIdentifier: The other section. Without it, nothing is done.
    public mutating func moveSection(
        _ identifier: SectionIdentifierType, afterSection toIdentifier: SectionIdentifierType
    ) {
        move(identifier, to: toIdentifier, offset: 1)
    }

    /// Says that the content of sections changed.
    ///
    /// The identifiers are added to ``reloadedSectionIdentifiers``. Whether the snapshot has them isn't checked.
    ///
    /// - Parameter identifiers: The identifiers of the sections.
    public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {
        reloadedSectionIdentifiers += identifiers
    }

    private mutating func insert(_ identifiers: [SectionIdentifierType], at index: Int) {
        var known = Set(sectionIdentifiers)
        let fresh = identifiers.filter { known.insert($0).inserted }
        sections.insert(contentsOf: fresh.map { Section(identifier: $0) }, at: index)
    }

    private mutating func move(_ identifier: SectionIdentifierType, to other: SectionIdentifierType, offset: Int) {
        guard identifier != other, let index = indexOfSection(identifier), indexOfSection(other) != nil else {
            return
        }
        let section = sections.remove(at: index)
        sections.insert(section, at: (indexOfSection(other) ?? 0) + offset)
    }

    // MARK: Items

    /// Adds items at the end of a section, of the last one when none is named.
    ///
    /// Items that are in any section already stay where they are. Nothing happens if the snapshot doesn't have the
    /// section, or has no sections.
    ///
    /// - Parameters:
    ///   - identifiers: The identifiers of the items.
    ///   - sectionIdentifier: The section; `nil` for the last one.
    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
    ) {
        let index = sectionIdentifier.map { indexOfSection($0) } ?? sections.indices.last
        guard let index else { return }
        insert(identifiers, section: index, at: sections[index].items.count)
    }

    /// Adds items before another one.
    ///
    /// The items get into the other item's section. Items that are in the snapshot already stay where they are.
    ///
    /// - Parameters:
    ///   - identifiers: The identifiers of the items.
    ///   - beforeIdentifier: The other item. Without it, nothing is done.
    public mutating func insertItems(
        _ identifiers: [ItemIdentifierType], beforeItem beforeIdentifier: ItemIdentifierType
    ) {
        position(of: beforeIdentifier).map { insert(identifiers, section: $0.section, at: $0.item) }
    }

    /// Adds items after another one.
    ///
    /// The items get into the other item's section. Items that are in the snapshot already stay where they are.
    ///
    /// - Parameters:
    ///   - identifiers: The identifiers of the items.
    ///   - afterIdentifier: The other item. Without it, nothing is done.
    public mutating func insertItems(
        _ identifiers: [ItemIdentifierType], afterItem afterIdentifier: ItemIdentifierType
    ) {
        position(of: afterIdentifier).map { insert(identifiers, section: $0.section, at: $0.item + 1) }
    }

    /// Removes items.
    ///
    /// Identifiers that aren't in the snapshot are ignored. A section that has no items left stays.
    ///
    /// - Parameter identifiers: The identifiers of the items.
    public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
        let gone = takeOut(identifiers)
        guard !gone.isEmpty else { return }
        reloadedItemIdentifiers.removeAll { gone.contains($0) }
        reconfiguredItemIdentifiers.removeAll { gone.contains($0) }
    }

    /// Takes items out of their sections. They stay marked, as they may come to another place.
    private mutating func takeOut(_ identifiers: [ItemIdentifierType]) -> Set<ItemIdentifierType> {
        let gone = Set(identifiers.filter { sectionsByItem.removeValue(forKey: $0) != nil })
        guard !gone.isEmpty else { return [] }
        for index in sections.indices { sections[index].items.removeAll { gone.contains($0) } }
        return gone
    }

    /// Removes all items and sections.
    ///
    /// None of them is marked to be reloaded or reconfigured any longer.
    public mutating func deleteAllItems() {
        sections = []
        sectionsByItem = [:]
        reloadedItemIdentifiers = []
        reloadedSectionIdentifiers = []
        reconfiguredItemIdentifiers = []
    }

    /// Moves an item before another one.
    ///
    /// The item gets into the other item's section. Nothing happens if both are the same, or if the snapshot doesn't
    /// have both.
    ///
    /// - Parameters:
    ///   - identifier: The item.
    ///   - toIdentifier: The other item. Without it, nothing is done.
    public mutating func moveItem(
        _ identifier: ItemIdentifierType, beforeItem toIdentifier: ItemIdentifierType
    ) {
        guard identifier != toIdentifier, sectionsByItem[identifier] != nil, sectionsByItem[toIdentifier] != nil
        else { return }
        _ = takeOut([identifier])
        insertItems([identifier], beforeItem: toIdentifier)
    }

    /// Moves an item after another one.
    ///
    /// The item gets into the other item's section. Nothing happens if both are the same, or if the snapshot doesn't
    /// have both.
    ///
    /// - Parameters:
    ///   - identifier: The item.
    ///   - toIdentifier: The other item. Without it, nothing is done.
    public mutating func moveItem(
        _ identifier: ItemIdentifierType, afterItem toIdentifier: ItemIdentifierType
    ) {
        guard identifier != toIdentifier, sectionsByItem[identifier] != nil, sectionsByItem[toIdentifier] != nil
        else { return }
        _ = takeOut([identifier])
        insertItems([identifier], afterItem: toIdentifier)
    }

    /// Says that the content of items changed.
    ///
    /// The identifiers are added to ``reloadedItemIdentifiers``. Whether the snapshot has them isn't checked.
    ///
    /// - Parameter identifiers: The identifiers of the items.
    public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) { reloadedItemIdentifiers += identifiers }

    /// Marks the cells of items to be reconfigured.
    ///
    /// The identifiers are added to ``reconfiguredItemIdentifiers``. Whether the snapshot has them isn't checked.
    ///
    /// - Parameter identifiers: The identifiers of the items.
    public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
        reconfiguredItemIdentifiers += identifiers
    }

    private func position(of identifier: ItemIdentifierType) -> (section: Int, item: Int)? {
        guard let section = sectionsByItem[identifier].flatMap({ indexOfSection($0) }),
            let item = sections[section].items.firstIndex(of: identifier)
        else { return nil }
        return (section, item)
    }

    private mutating func insert(_ identifiers: [ItemIdentifierType], section: Int, at index: Int) {
        var fresh: [ItemIdentifierType] = []
        fresh.reserveCapacity(identifiers.count)
        for identifier in identifiers where sectionsByItem[identifier] == nil {
            sectionsByItem[identifier] = sections[section].identifier
            fresh.append(identifier)
        }
        sections[section].items.insert(contentsOf: fresh, at: index)
    }
}

extension NSDiffableDataSourceSnapshot: Equatable {
    /// Whether two snapshots have the same sections and items in the same order.
    ///
    /// The lists of reloaded and reconfigured identifiers aren't compared.
    ///
    /// - Parameters:
    ///   - left: A snapshot.
    ///   - right: Another snapshot.
    public static func == (left: Self, right: Self) -> Bool {
        left.sectionIdentifiers == right.sectionIdentifiers
            && zip(left.sections, right.sections).allSatisfy { $0.items == $1.items }
    }
}

extension NSDiffableDataSourceSnapshot: Sendable
where SectionIdentifierType: Sendable, ItemIdentifierType: Sendable {}
extension NSDiffableDataSourceSnapshot.Section: Sendable
where SectionIdentifierType: Sendable, ItemIdentifierType: Sendable {}
#endif
