#if canImport(UIKit) && !os(watchOS)
import OpenCoreDataKit
public import UIKit

extension TableViewDataSource {
    /// Fills a table view, whose data source this becomes.
    ///
    /// - Parameters:
    ///   - tableView: The view, held weakly.
    ///   - dataProvider: Where the objects come from. Its delegate hands their changes to ``processUpdates(updates:)``.
    ///   - delegate: Makes the cells.
    public convenience init(tableView: UITableView, dataProvider: Provider, delegate: Delegate) {
        let cells = TableCells<Delegate, Provider>(tableView)
        self.init(tableView: cells, dataProvider: dataProvider, delegate: delegate)
        cells.source = self
        keep = cells
    }
}

extension CollectionViewDataSource {
    /// Fills a collection view, whose data source this becomes.
    ///
    /// - Parameters:
    ///   - collectionView: The view, held weakly.
    ///   - dataProvider: Where the objects come from. Its delegate hands their changes to ``processUpdates(updates:)``.
    ///   - delegate: Makes the cells.
    public convenience init(collectionView: UICollectionView, dataProvider: Provider, delegate: Delegate) {
        let cells = CollectionCells(collectionView)
        self.init(collectionView: cells, dataProvider: dataProvider, delegate: delegate)
        keep = cells
    }
}

/// The cells of a table view: rows of the kit's surface, the rest of the data source.
@MainActor
private final class TableCells<Delegate: DataSourceDelegate, Provider: DataProvider>: NSObject,
    CellSurface, UITableViewDataSource
where Provider.Object == Delegate.Object, Provider.Object: AnyObject {
    private weak var tableView: UITableView?
    private let surface: TableViewSurface
    weak var source: TableViewDataSource<Delegate, Provider>?

    init(_ tableView: UITableView) {
        self.tableView = tableView
        surface = TableViewSurface(tableView)
        super.init()
        tableView.dataSource = self
    }

    // MARK: Surface

    var isShowing: Bool { surface.isShowing }

    func show(_ content: ListContent<UITableViewCell>?) { surface.show(content) }

    func reload() { surface.reload() }

    func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void) {
        surface.apply(changes, completion: completion)
    }

    func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell? {
        tableView?.dequeueReusableCell(withIdentifier: identifier, for: indexPath)
    }

    func cell(at indexPath: IndexPath) -> UITableViewCell? { tableView?.cellForRow(at: indexPath) }

    var selectedIndexPath: IndexPath? { tableView?.indexPathForSelectedRow }

    func showEmptyView(_ view: DataSourceEmptyView?) { tableView?.backgroundView = view }

    // MARK: Data source

    func numberOfSections(in tableView: UITableView) -> Int { surface.numberOfSections(in: tableView) }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        surface.tableView(tableView, numberOfRowsInSection: section)
    }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        surface.tableView(tableView, cellForRowAt: indexPath)
    }

    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
        surface.tableView(tableView, titleForHeaderInSection: section)
    }

    func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
        source?.titleForFooter(in: section)
    }

    func sectionIndexTitles(for tableView: UITableView) -> [String]? { source?.sectionIndexTitles }

    func tableView(_ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int) -> Int {
        source?.section(forSectionIndexTitle: title, at: index) ?? index
    }

    func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        source?.canEditRow(at: indexPath) ?? false
    }

    func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
        source?.canMoveRow(at: indexPath) ?? false
    }

    func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
    ) {
        source?.commit(editingStyle: editingStyle, forRowAt: indexPath)
    }

    func tableView(
        _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
    ) {
        source?.move(rowAt: sourceIndexPath, to: destinationIndexPath)
    }
}

/// The cells of a collection view: items of the kit's surface, which is the view's data source.
@MainActor private final class CollectionCells: CellSurface {
    private weak var collectionView: UICollectionView?
    private let surface: CollectionViewSurface

    init(_ collectionView: UICollectionView) {
        self.collectionView = collectionView
        surface = CollectionViewSurface(collectionView)
    }

    var isShowing: Bool { surface.isShowing }

    func show(_ content: ListContent<UICollectionViewCell>?) { surface.show(content) }

    func reload() { surface.reload() }

    func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void) {
        surface.apply(changes, completion: completion)
    }

    func dequeueReusableCell(
        withIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionViewCell? {
        collectionView?.dequeueReusableCell(withReuseIdentifier: identifier, for: indexPath)
    }

    func cell(at indexPath: IndexPath) -> UICollectionViewCell? { collectionView?.cellForItem(at: indexPath) }

    var selectedIndexPath: IndexPath? { collectionView?.indexPathsForSelectedItems?.first }

    func showEmptyView(_ view: DataSourceEmptyView?) { collectionView?.backgroundView = view }
}
#endif
