public import OpenCoreDataKit

#if canImport(UIKit) && !os(watchOS)
public import UIKit
#endif

/// A surface of cells: it hands out cells by identifier, and says which of them are to be seen.
///
/// What a table or a collection is to a data source. ``HeadlessTable`` is one without a screen.
@MainActor public protocol CellSurface<Row>: ListSurface where Row: AnyObject {
    /// A cell to be filled, new or used before; `nil` for an identifier that is not known.
    ///
    /// A `nil`, and a cell of another class than the delegate's, stop the program.
    ///
    /// - Parameters:
    ///   - identifier: The identifier, which the delegate returned for the object.
    ///   - indexPath: The index path that the cell is for.
    /// - Returns: The cell, which the data source fills afterwards.
    func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> Row?
    /// The cell at an index path; `nil` where none can be seen.
    ///
    /// Called before a batch, with index paths of the list that is shown, to fill the cells of changed objects again.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: The cell, or `nil`.
    func cell(at indexPath: IndexPath) -> Row?
    /// Where the selected cell is; `nil` for none.
    var selectedIndexPath: IndexPath? { get }
    /// Shows a view instead of the cells, or none any longer. Called after each reload and each batch.
    ///
    /// Several calls in a row may have the same view.
    ///
    /// - Parameter view: The view; `nil` to show the cells.
    func showEmptyView(_ view: DataSourceEmptyView?)
}

extension CellSurface {
    /// Cells can't be selected.
    public var selectedIndexPath: IndexPath? { nil }
    /// Shows nothing.
    ///
    /// Implement it in a surface that shows something in place of an empty list.
    ///
    /// - Parameter view: The view, or `nil`.
    public func showEmptyView(_ view: DataSourceEmptyView?) {}
}
