public import OpenCoreDataKit

#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// A supplementary view of a collection.
public typealias CoreDataSupplementaryView = UICollectionReusableView
#else
/// A supplementary view of a collection: any value that the surface can show.
public typealias CoreDataSupplementaryView = Any
#endif

/// Keeps a collection in step with the results of a query.
///
/// Keep a reference to the provider: a collection whose provider is released has no items. A batch begins after the
/// previous one is complete. A collection that isn't visible is reloaded instead. Use it on the main queue only.
@MainActor public final class CollectionViewDataProvider<T: NSManagedObject>: ViewDataProvider<T> {
    /// Makes the item of an object: whatever the surface shows, such as a cell. Set by binding.
    public var onGetCell: (@MainActor (T, IndexPath) -> Any)?
    /// Makes a header, a footer and the like, by kind and index path.
    public var onGetSupplementary: (@MainActor (String, IndexPath) -> CoreDataSupplementaryView?)?

    /// Creates a provider of nothing yet.
    ///
    /// Call `query(_:orderBy:sectionBy:options:)` and `bind(_:_:)` in any order; the collection shows objects once both
    /// were called.
    ///
    /// - Parameter context: The context whose objects are shown.
    public override init(context: CoreDataMainContext) { super.init(context: context) }

    /// Shows the objects on a surface, which is held weakly and replaces the previous one.
    ///
    /// Objects of the last query are shown at once. Bind it again to show them on another surface.
    ///
    /// - Parameters:
    ///   - surface: The collection.
    ///   - onGetCell: Returns the item of an object.
    /// - Returns: The provider itself.
    @discardableResult
    public func bind<Row>(
        _ surface: some ListSurface<Row>, _ onGetCell: @escaping @MainActor (T, IndexPath) -> Row
    ) -> CollectionViewDataProvider<T> {
        self.onGetCell = onGetCell
        show(on: surface, row: onGetCell) { [weak self] in self?.onGetCell?($0, $1) }
        return self
    }

    /// A header, a footer and the like; `nil` without ``onGetSupplementary``.
    ///
    /// Called by the data source that `bind` gives a collection view.
    ///
    /// - Parameters:
    ///   - kind: The kind of view.
    ///   - indexPath: The section and the item.
    /// - Returns: The view, or `nil`.
    public func supplementaryView(ofKind kind: String, at indexPath: IndexPath) -> CoreDataSupplementaryView? {
        onGetSupplementary?(kind, indexPath)
    }
}
