#if canImport(UIKit) && !os(watchOS)
public import OpenCoreDataKit
public import UIKit

extension TableViewDataProvider {
    /// Shows the objects in a table view, whose data source the provider becomes. The view is held weakly and
    /// replaces the previous one.
    ///
    /// - Parameters:
    ///   - tableView: The view.
    ///   - onGetCell: Returns the cell of an object.
    @discardableResult
    public func bind(
        _ tableView: UITableView, onGetCell: @escaping @MainActor (T, IndexPath) -> UITableViewCell
    ) -> TableViewDataProvider<T> {
        let surface = TableViewSurface(tableView)
        let source = TableDataSource(surface, self)
        tableView.dataSource = source
        bind(surface, onGetCell)
        // Only now: the view before had to be emptied.
        keep = source
        return self
    }
}

extension CollectionViewDataProvider {
    /// Shows the objects in a collection view, whose data source the provider becomes. The view is held weakly and
    /// replaces the previous one.
    ///
    /// - Parameters:
    ///   - collectionView: The view.
    ///   - onGetCell: Returns the cell of an object.
    @discardableResult
    public func bind(
        _ collectionView: UICollectionView, onGetCell: @escaping @MainActor (T, IndexPath) -> UICollectionViewCell
    ) -> CollectionViewDataProvider<T> {
        let surface = CollectionViewSurface(collectionView)
        let source = CollectionDataSource(surface, self)
        collectionView.dataSource = source
        bind(surface, onGetCell)
        // Only now: the view before had to be emptied.
        keep = source
        return self
    }
}

/// What a table view asks for: rows of the kit's surface, the rest of the provider.
@MainActor private final class TableDataSource<T: NSManagedObject>: NSObject, UITableViewDataSource {
    private let surface: TableViewSurface
    private weak var provider: TableViewDataProvider<T>?

    init(_ surface: TableViewSurface, _ provider: TableViewDataProvider<T>) {
        self.surface = surface
        self.provider = provider
    }

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

    func sectionIndexTitles(for tableView: UITableView) -> [String]? { provider?.sectionIndexTitles }

    func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        provider?.canDeleteRow(at: indexPath) ?? false
    }

    func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
    ) {
        if editingStyle == .delete { provider?.deleteRow(at: indexPath) }
    }
}

/// What a collection view asks for: items of the kit's surface, the rest of the provider.
@MainActor private final class CollectionDataSource<T: NSManagedObject>: NSObject, UICollectionViewDataSource {
    private let surface: CollectionViewSurface
    private weak var provider: CollectionViewDataProvider<T>?

    init(_ surface: CollectionViewSurface, _ provider: CollectionViewDataProvider<T>) {
        self.surface = surface
        self.provider = provider
    }

    func numberOfSections(in collectionView: UICollectionView) -> Int {
        surface.numberOfSections(in: collectionView)
    }

    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        surface.collectionView(collectionView, numberOfItemsInSection: section)
    }

    func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        surface.collectionView(collectionView, cellForItemAt: indexPath)
    }

    func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView {
        provider?.supplementaryView(ofKind: kind, at: indexPath) ?? UICollectionReusableView()
    }
}
#endif
