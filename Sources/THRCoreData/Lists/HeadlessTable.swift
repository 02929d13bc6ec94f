public import OpenCoreDataKit

#if canImport(UIKit) && !os(watchOS)
public import UIKit
#endif

/// A table or collection without a screen. It keeps cells, applies each batch to them and checks the batch as UIKit
/// would.
///
/// Use it in tests, and in programs that show cells in their own way. All its cells count as visible.
@MainActor public final class HeadlessTable: CellSurface {
    /// What happened to the table: its cells, reloads, batches, and those that broke the rules.
    public let surface = HeadlessSurface<AnyObject>()
    /// The view that is shown while there are no cells.
    public private(set) var emptyView: DataSourceEmptyView?
    /// Where the selected cell is. Follows the cell through batches; a reload ends the selection.
    public var selectedIndexPath: IndexPath?
    private var makers: [String: @MainActor () -> AnyObject] = [:]

    /// Creates a table without cells.
    public init() {}

    /// Says how cells of an identifier are made.
    public func register(_ identifier: String, _ make: @escaping @MainActor () -> AnyObject) {
        makers[identifier] = make
    }

    /// The cells of one class, section by section.
    public func cells<Cell: AnyObject>(_ type: Cell.Type) -> [[Cell]] {
        surface.rows.map { $0.compactMap { $0 as? Cell } }
    }

    // MARK: Surface

    /// Whether anybody sees the table.
    public var isShowing: Bool {
        get { surface.isShowing }
        set { surface.isShowing = newValue }
    }

    /// Takes the sections that it is to show, and where their cells come from.
    public func show(_ content: ListContent<AnyObject>?) { surface.show(content) }

    /// Reloads all cells.
    public func reload() {
        selectedIndexPath = nil
        surface.reload()
    }

    /// Shows one batch of changes, and calls back when that is done.
    public func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void) {
        if let selected = selectedIndexPath {
            var following = changes
            following.updatedRows = [selected]
            selectedIndexPath = following.updatedRowsAfter.first
        }
        surface.apply(changes, completion: completion)
    }

    /// A new cell; `nil` for an identifier that is not registered.
    public func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> AnyObject? {
        makers[identifier]?()
    }

    /// The cell at an index path; `nil` if the index path is out of bounds.
    public func cell(at indexPath: IndexPath) -> AnyObject? {
        guard indexPath.count == 2, surface.rows.indices.contains(indexPath.section),
            surface.rows[indexPath.section].indices.contains(indexPath.row)
        else { return nil }
        return surface.rows[indexPath.section][indexPath.row]
    }

    /// Shows a view instead of the cells, or none any more.
    public func showEmptyView(_ view: DataSourceEmptyView?) { emptyView = view }
}
