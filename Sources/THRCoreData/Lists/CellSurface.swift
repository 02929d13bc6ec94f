public import OpenCoreDataKit

#if canImport(UIKit) && !os(watchOS)
public import UIKit
#endif

/// A surface of cells: it hands out cells by identifier, and says which of them are to be seen.
///
/// What a table or a collection is to a data source. ``HeadlessTable`` is one without a screen.
@MainActor public protocol CellSurface<Row>: ListSurface where Row: AnyObject {
    /// A cell to be filled, new or used before; `nil` for an identifier that is not known.
    func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> Row?
    /// The cell at an index path; `nil` where none can be seen.
    func cell(at indexPath: IndexPath) -> Row?
    /// Where the selected cell is; `nil` for none.
    var selectedIndexPath: IndexPath? { get }
    /// Shows a view instead of the cells, or none any more. Called after each reload and each batch.
    func showEmptyView(_ view: DataSourceEmptyView?)
}

extension CellSurface {
    /// Cells can't be selected.
    public var selectedIndexPath: IndexPath? { nil }
    /// Shows nothing.
    public func showEmptyView(_ view: DataSourceEmptyView?) {}
}
