#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// Shows a list in a table view, whose data source it becomes. Holds the view weakly.
@MainActor public final class TableViewSurface: NSObject, ListSurface, UITableViewDataSource {
    private weak var tableView: UITableView?
    private let animation: UITableView.RowAnimation
    private let placeholder: UIView?
    private var content: ListContent<UITableViewCell>?

    /// Creates a surface.
    ///
    /// - Parameters:
    ///   - tableView: The view.
    ///   - animation: How rows come and go.
    ///   - placeholder: The view's background while the list is empty.
    public init(
        _ tableView: UITableView, animation: UITableView.RowAnimation = .automatic, placeholder: UIView? = nil
    ) {
        self.tableView = tableView
        self.animation = animation
        self.placeholder = placeholder
        super.init()
        tableView.dataSource = self
    }

    /// Whether it is on screen.
    public var isShowing: Bool { tableView?.window != nil }

    /// Takes the sections that it is to show, and where their rows come from.
    public func show(_ content: ListContent<UITableViewCell>?) { self.content = content }

    /// Reloads all rows.
    public func reload() { tableView?.reloadData() }

    /// Shows one batch of changes, and calls back when that is done.
    public func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void) {
        guard let tableView else {
            completion()
            return
        }
        let (folded, animation) = (changes.folded, animation)
        tableView.performBatchUpdates {
            tableView.deleteSections(IndexSet(folded.deletedSections), with: animation)
            tableView.insertSections(IndexSet(folded.insertedSections), with: animation)
            tableView.deleteRows(at: folded.deletedRows, with: animation)
            tableView.insertRows(at: folded.insertedRows, with: animation)
            for move in folded.movedRows { tableView.moveRow(at: move.from, to: move.to) }
        } completion: { _ in
            // Moved rows may have other content too; by now all have their new positions.
            tableView.reconfigureRows(at: folded.updatedRowsAfter + folded.movedRows.map(\.to))
            completion()
        }
    }

    /// Shows or hides what stands in for an empty list.
    public func showPlaceholder(_ isEmpty: Bool) {
        guard let placeholder, let tableView else { return }
        tableView.backgroundView = isEmpty ? placeholder : nil
    }

    /// The number of sections.
    public func numberOfSections(in tableView: UITableView) -> Int { content?.numberOfSections ?? 0 }

    /// The number of rows in a section.
    public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        content?.numberOfRows(inSection: section) ?? 0
    }

    /// The cell of a row.
    public func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        content?.row(at: indexPath) ?? UITableViewCell()
    }

    /// The name of a section.
    public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
        content?.title(ofSection: section).flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Shows a list in a collection view, whose data source it becomes. Holds the view weakly.
@MainActor public final class CollectionViewSurface: NSObject, ListSurface, UICollectionViewDataSource {
    private weak var collectionView: UICollectionView?
    private let placeholder: UIView?
    private var content: ListContent<UICollectionViewCell>?

    /// Creates a surface.
    ///
    /// - Parameters:
    ///   - collectionView: The view.
    ///   - placeholder: The view's background while the list is empty.
    public init(_ collectionView: UICollectionView, placeholder: UIView? = nil) {
        self.collectionView = collectionView
        self.placeholder = placeholder
        super.init()
        collectionView.dataSource = self
    }

    /// Whether it is on screen.
    public var isShowing: Bool { collectionView?.window != nil }

    /// Takes the sections that it is to show, and where their rows come from.
    public func show(_ content: ListContent<UICollectionViewCell>?) { self.content = content }

    /// Reloads all rows.
    public func reload() { collectionView?.reloadData() }

    /// Shows one batch of changes, and calls back when that is done.
    public func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void) {
        guard let collectionView else {
            completion()
            return
        }
        let folded = changes.folded
        collectionView.performBatchUpdates {
            collectionView.deleteSections(IndexSet(folded.deletedSections))
            collectionView.insertSections(IndexSet(folded.insertedSections))
            collectionView.deleteItems(at: folded.deletedRows)
            collectionView.insertItems(at: folded.insertedRows)
            for move in folded.movedRows { collectionView.moveItem(at: move.from, to: move.to) }
        } completion: { _ in
            collectionView.reconfigureItems(at: folded.updatedRowsAfter + folded.movedRows.map(\.to))
            completion()
        }
    }

    /// Shows or hides what stands in for an empty list.
    public func showPlaceholder(_ isEmpty: Bool) {
        guard let placeholder, let collectionView else { return }
        collectionView.backgroundView = isEmpty ? placeholder : nil
    }

    /// The number of sections.
    public func numberOfSections(in collectionView: UICollectionView) -> Int { content?.numberOfSections ?? 0 }

    /// The number of items in a section.
    public func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        content?.numberOfRows(inSection: section) ?? 0
    }

    /// The cell of an item.
    public func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        content?.row(at: indexPath) ?? UICollectionViewCell()
    }
}
#endif
