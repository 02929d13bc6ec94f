#if !canImport(Darwin)
public import Foundation

/// The sections and items of a list by their identifiers, as a fetched results controller hands them to its delegate:
/// section names, and object identifiers.
///
/// ``NSDiffableDataSourceSnapshot`` is the same with types: `NSDiffableDataSourceSnapshot<String,
/// NSManagedObjectID>(snapshot)`.
open class NSDiffableDataSourceSnapshotReference: NSObject, NSCopying {
    private final var made: NSDiffableDataSourceSnapshot<AnyHashable, AnyHashable>?
    private final var source: (() -> [(section: AnyHashable, items: [AnyHashable])])?
    private final let reloading: [AnyHashable]

    /// Creates an empty snapshot.
    ///
    /// Fetched results controllers create the snapshots that they pass to delegates. Add sections before items: items
    /// without a section are dropped.
    public override init() {
        made = NSDiffableDataSourceSnapshot()
        reloading = []
    }

    /// Creates a snapshot of what a closure says when it is first looked at.
    init(reloading: [AnyHashable], _ source: @escaping () -> [(section: AnyHashable, items: [AnyHashable])]) {
        self.source = source
        self.reloading = reloading
    }

    /// The content without types.
    final var content: NSDiffableDataSourceSnapshot<AnyHashable, AnyHashable> {
        get {
            materialize()
            return made ?? NSDiffableDataSourceSnapshot()
        }
        set { made = newValue }
    }

    /// Makes the content if it was not looked at yet.
    final func materialize() {
        guard made == nil else { return }
        var snapshot = NSDiffableDataSourceSnapshot<AnyHashable, AnyHashable>()
        for (section, items) in source?() ?? [] {
            snapshot.appendSections([section])
            snapshot.appendItems(items, toSection: section)
        }
        snapshot.reloadItems(reloading)
        made = snapshot
        source = nil
    }

    /// Returns a snapshot with the same content.
    ///
    /// Changes of the copy don't affect the original.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSDiffableDataSourceSnapshotReference()
        copy.content = content
        return copy
    }

    // MARK: Content

    /// How many items there are.
    open var numberOfItems: Int { content.numberOfItems }
    /// The number of sections.
    open var numberOfSections: Int { content.numberOfSections }
    /// The sections in order.
    open var sectionIdentifiers: [Any] { content.sectionIdentifiers.map(\.base) }
    /// The items in order.
    open var itemIdentifiers: [Any] { content.itemIdentifiers.map(\.base) }
    /// Items whose content changed.
    open var reloadedItemIdentifiers: [Any] { content.reloadedItemIdentifiers.map(\.base) }
    /// Sections whose content changed.
    open var reloadedSectionIdentifiers: [Any] { content.reloadedSectionIdentifiers.map(\.base) }
    /// Items whose cells need to be reconfigured.
    open var reconfiguredItemIdentifiers: [Any] { content.reconfiguredItemIdentifiers.map(\.base) }

    /// The number of items in a section.
    ///
    /// The number is 0 if the snapshot doesn't have the section.
    ///
    /// - Parameter sectionIdentifier: The section.
    open func numberOfItems(inSection sectionIdentifier: Any) -> Int {
        Self.key(sectionIdentifier).map { content.numberOfItems(inSection: $0) } ?? 0
    }

    /// The items of a section in order.
    ///
    /// The array is empty if the snapshot doesn't have the section.
    ///
    /// - Parameter sectionIdentifier: The section.
    open func itemIdentifiersInSection(withIdentifier sectionIdentifier: Any) -> [Any] {
        (Self.key(sectionIdentifier).map { content.itemIdentifiers(inSection: $0) } ?? []).map(\.base)
    }

    /// The section that has an item.
    ///
    /// The result is `nil` if the snapshot doesn't have the item. A controller's snapshot has section names, which are
    /// strings.
    ///
    /// - Parameter itemIdentifier: The item.
    open func sectionIdentifier(forSectionContainingItemIdentifier itemIdentifier: Any) -> Any? {
        Self.key(itemIdentifier).flatMap { content.sectionIdentifier(containingItem: $0)?.base }
    }

    /// The index of an item among all items; `NSNotFound` for an unknown one.
    ///
    /// The items of the sections before it count. A controller's snapshot has object IDs as items.
    ///
    /// - Parameter itemIdentifier: The item.
    open func index(ofItemIdentifier itemIdentifier: Any) -> Int {
        Self.key(itemIdentifier).flatMap { content.indexOfItem($0) } ?? NSNotFound
    }

    /// The index of a section; `NSNotFound` for an unknown one.
    ///
    /// A controller's snapshot has section names, which are strings.
    ///
    /// - Parameter sectionIdentifier: The section.
    open func index(ofSectionIdentifier sectionIdentifier: Any) -> Int {
        Self.key(sectionIdentifier).flatMap { content.indexOfSection($0) } ?? NSNotFound
    }

    // MARK: Changing

    /// Adds sections at the end.
    ///
    /// Sections that are there already stay where they are. Identifiers that aren't hashable are ignored.
    ///
    /// - Parameter sectionIdentifiers: The identifiers of the sections.
    open func appendSections(withIdentifiers sectionIdentifiers: [Any]) {
        content.appendSections(Self.keys(sectionIdentifiers))
    }

    /// Adds items at the end of the last section.
    ///
    /// Items that are in any section already stay where they are. Nothing happens if the snapshot has no sections.
    /// Identifiers that aren't hashable are ignored.
    ///
    /// - Parameter identifiers: The identifiers of the items.
    open func appendItems(withIdentifiers identifiers: [Any]) { content.appendItems(Self.keys(identifiers)) }

    /// Adds items at the end of a section.
    ///
    /// Items that are in any section already stay where they are. Nothing happens if the snapshot doesn't have the
    /// section.
    ///
    /// - Parameters:
    ///   - identifiers: The identifiers of the items.
    ///   - sectionIdentifier: The section.
    open func appendItems(withIdentifiers identifiers: [Any], intoSectionWithIdentifier sectionIdentifier: Any) {
        guard let section = Self.key(sectionIdentifier) else { return }
        content.appendItems(Self.keys(identifiers), toSection: section)
    }

    /// Removes items.
    ///
    /// Identifiers that aren't in the snapshot are ignored. A section that has no items left stays.
    ///
    /// - Parameter identifiers: The identifiers of the items.
    open func deleteItems(withIdentifiers identifiers: [Any]) { content.deleteItems(Self.keys(identifiers)) }

    /// Removes all items and sections.
    ///
    /// The lists of reloaded and reconfigured identifiers stay as they are.
    open func deleteAllItems() { content.deleteAllItems() }

    /// Removes sections with their items.
    ///
    /// Identifiers that aren't in the snapshot are ignored.
    ///
    /// - Parameter identifiers: The identifiers of the sections.
    open func deleteSections(withIdentifiers identifiers: [Any]) {
        content.deleteSections(Self.keys(identifiers))
    }

    /// Says that the content of items changed.
    ///
    /// The identifiers are added to ``reloadedItemIdentifiers``. Whether the snapshot has them isn't checked.
    ///
    /// - Parameter identifiers: The identifiers of the items.
    open func reloadItems(withIdentifiers identifiers: [Any]) { content.reloadItems(Self.keys(identifiers)) }

    /// Marks the cells of items to be reconfigured.
    ///
    /// The identifiers are added to ``reconfiguredItemIdentifiers``. Whether the snapshot has them isn't checked.
    ///
    /// - Parameter identifiers: The identifiers of the items.
    open func reconfigureItems(withIdentifiers identifiers: [Any]) {
        content.reconfigureItems(Self.keys(identifiers))
    }

    /// Says that the content of sections changed.
    ///
    /// The identifiers are added to ``reloadedSectionIdentifiers``. Whether the snapshot has them isn't checked.
    ///
    /// - Parameter identifiers: The identifiers of the sections.
    open func reloadSections(withIdentifiers identifiers: [Any]) {
        content.reloadSections(Self.keys(identifiers))
    }

    private static func key(_ identifier: Any) -> AnyHashable? { identifier as? AnyHashable }

    private static func keys(_ identifiers: [Any]) -> [AnyHashable] { identifiers.compactMap { key($0) } }
}
#endif
