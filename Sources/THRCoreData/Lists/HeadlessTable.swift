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
    ///
    /// Register the cells with ``register(_:_:)`` before a data source fills the table.
    public init() {}

    /// Says how cells of an identifier are made.
    ///
    /// The closure is called for each cell; cells aren't used again. Registering an identifier again replaces its
    /// closure.
    ///
    /// - Parameters:
    ///   - identifier: The identifier.
    ///   - make: Makes a cell.
    public func register(_ identifier: String, _ make: @escaping @MainActor () -> AnyObject) {
        makers[identifier] = make
    }

    /// The cells of one class, section by section.
    ///
    /// Cells of other classes are left out, so the numbers may differ from those of the table.
    ///
    /// - Parameter type: The class.
    /// - Returns: The cells.
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
    ///
    /// Called by a data source. The cells don't change before the next reload or batch.
    ///
    /// - Parameter content: The content; `nil` removes it.
    public func show(_ content: ListContent<AnyObject>?) { surface.show(content) }

    /// Reloads all cells.
    ///
    /// The selection ends.
    public func reload() {
        selectedIndexPath = nil
        surface.reload()
    }

    /// Shows one batch of changes, and calls back when that is done.
    ///
    /// A batch that breaks the rules is recorded in the violations of ``surface``, and all cells are made again.
    ///
    /// - Parameters:
    ///   - changes: The batch.
    ///   - completion: Called when the batch is applied.
    public func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void) {
        if let selected = selectedIndexPath {
            var following = changes
            following.updatedRows = [selected]
            selectedIndexPath = following.updatedRowsAfter.first
        }
        surface.apply(changes, completion: completion)
    }

    /// A new cell; `nil` for an identifier that is not registered.
    ///
    /// Each call makes a cell.
    ///
    /// - Parameters:
    ///   - identifier: The identifier.
    ///   - indexPath: The index path, which doesn't matter.
    /// - Returns: The cell, or `nil`.
    public func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> AnyObject? {
        makers[identifier]?()
    }

    /// The cell at an index path; `nil` if the index path is out of bounds.
    ///
    /// All cells count as visible.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: The cell, or `nil`.
    public func cell(at indexPath: IndexPath) -> AnyObject? {
        guard indexPath.count == 2, surface.rows.indices.contains(indexPath.section),
            surface.rows[indexPath.section].indices.contains(indexPath.row)
        else { return nil }
        return surface.rows[indexPath.section][indexPath.row]
    }

    /// Shows a view instead of the cells, or none any longer.
    ///
    /// ``emptyView`` has it afterwards.
    ///
    /// - Parameter view: The view, or `nil`.
    public func showEmptyView(_ view: DataSourceEmptyView?) { emptyView = view }
}
