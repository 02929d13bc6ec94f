public import OpenCoreDataKit

#if canImport(UIKit) && !os(watchOS)
public import UIKit
#endif

/// Keeps a table or a collection in step with what a provider has. Base of ``TableViewDataSource`` and
/// ``CollectionViewDataSource``.
@MainActor public class CellDataSource<Delegate: DataSourceDelegate, Provider: DataProvider>
where Provider.Object == Delegate.Object, Provider.Object: AnyObject {
    /// The type of the objects that the cells show.
    public typealias Object = Provider.Object

    /// The provider of the objects.
    public let dataProvider: Provider
    private weak var delegate: Delegate?
    private let driver: SurfaceDriver<Object, Object>
    private let selected: @MainActor () -> Object?
    /// What is held weakly by those who need it: what stands between the driver and the surface.
    private let adapter: AnyObject
    /// What a view asks for its cells, which views hold weakly.
    var keep: AnyObject?

    init<Cell: AnyObject>(
        _ surface: some CellSurface<Cell>, dataProvider: Provider, delegate: Delegate, movesCells: Bool
    ) {
        let adapter = CellAdapter<Delegate, Cell>(surface, delegate: delegate, movesCells: movesCells)
        self.dataProvider = dataProvider
        self.delegate = delegate
        self.adapter = adapter
        selected = { [weak adapter] in adapter?.selected }
        driver = SurfaceDriver(
            adapter, title: { [weak delegate] _, section in delegate?.titleForHeader(in: section) },
            row: { object, _ in object })
        driver.reload(dataProvider.list)
    }

    /// Shows changes of the provider's objects in one batch, in which the cells of changed objects are filled again. If
    /// the table isn't visible, or the steps don't match what it shows, it is reloaded.
    ///
    /// Call it from the provider's delegate, after the provider has changed. While the table is busy with a batch,
    /// changes are collected and shown as one batch afterwards. Without the delegate, which is held weakly, nothing
    /// happens.
    ///
    /// - Parameter updates: The steps; `nil` if everything may be different.
    public func processUpdates(updates: [DataProviderUpdate<Object>]?) {
        guard delegate != nil else { return }
        guard let updates else { return driver.reload(dataProvider.list) }
        driver.apply(
            ListChanges(updates), element: { dataProvider.objectIfAny(at: $0) }, state: { dataProvider.list },
            names: { dataProvider.sectionNames })
    }

    /// The object whose cell is selected; `nil` when none is.
    public var selectedObject: Object? { selected() }

    // MARK: What a table asks besides its cells

    /// The titles of the sections in an index; `nil` unless the delegate wants one.
    public var sectionIndexTitles: [String]? {
        delegate?.shouldShowSectionIndexTitles() == true ? dataProvider.sectionIndexTitles : nil
    }

    /// The section for a title of the index.
    ///
    /// The provider decides; by default it is the section at the title's index.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - index: Its index among the titles.
    /// - Returns: The index of the section.
    public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
        dataProvider.section(forSectionIndexTitle: title, at: index)
    }

    /// The title over a section; `nil` for none.
    ///
    /// The delegate decides.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The title, or `nil`.
    public func titleForHeader(in section: Int) -> String? { delegate?.titleForHeader(in: section) }

    /// The title under a section; `nil` for none.
    ///
    /// The delegate decides.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The title, or `nil`.
    public func titleForFooter(in section: Int) -> String? { delegate?.titleForFooter(in: section) }

    /// Whether the user may delete a row, or insert one there.
    ///
    /// The delegate decides; without one it is `false`.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: Whether the row can be edited.
    public func canEditRow(at indexPath: IndexPath) -> Bool { delegate?.canEditRow(at: indexPath) ?? false }

    /// Whether the user may move a row.
    ///
    /// The delegate decides; without one it is `false`.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: Whether the row can be moved.
    public func canMoveRow(at indexPath: IndexPath) -> Bool { delegate?.canMoveRow(at: indexPath) ?? false }

    /// Passes the user's edit of a row to the delegate.
    ///
    /// Changing the objects is the delegate's work; the table follows when the provider reports the change.
    ///
    /// - Parameters:
    ///   - editingStyle: What the user does.
    ///   - indexPath: The section and the row.
    public func commit(editingStyle: DataSourceEditingStyle, forRowAt indexPath: IndexPath) {
        delegate?.commit(editingStyle: editingStyle, forRowAt: indexPath)
    }

    /// Passes the user's move of a row to the delegate.
    ///
    /// Changing the order of the objects is the delegate's work.
    ///
    /// - Parameters:
    ///   - sourceIndexPath: The present index path.
    ///   - destinationIndexPath: The new index path.
    public func move(rowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath) {
        delegate?.move(rowAt: sourceIndexPath, to: destinationIndexPath)
    }
}
