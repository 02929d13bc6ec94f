public import OpenCoreDataKit

#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// What stands in for a list without objects.
public typealias DataSourceEmptyView = UIView
/// What the user does to a row.
public typealias DataSourceEditingStyle = UITableViewCell.EditingStyle
#else
/// What stands in for a list without objects: whatever the surface shows.
public typealias DataSourceEmptyView = AnyObject

/// What the user does to a row.
public enum DataSourceEditingStyle: Sendable, Hashable {
    /// Nothing.
    case none
    /// Deletes it.
    case delete
    /// Inserts one there.
    case insert
}
#endif

/// Says which cells show the objects of a data source, and what can be done to them.
///
/// Two functions are needed; the others have an answer already. For the main queue alone.
@MainActor public protocol DataSourceDelegate: AnyObject {
    /// What there is one cell for.
    associatedtype Object
    /// The class of the cells.
    associatedtype Cell: AnyObject

    /// The identifier of the cell for an object.
    func cellIdentifier(forObject object: Object) -> String
    /// Fills the cell of an object: a new one, or again when the object has changed.
    func configure(cell: Cell, forObject object: Object)

    /// What stands in for a list without objects; `nil` for nothing.
    func emptyView() -> DataSourceEmptyView?
    /// Whether the user may delete a row, or insert one there.
    func canEditRow(at indexPath: IndexPath) -> Bool
    /// Whether the user may move a row.
    func canMoveRow(at indexPath: IndexPath) -> Bool
    /// Whether there is an index of the sections beside the list.
    func shouldShowSectionIndexTitles() -> Bool
    /// Performs the user's edit of a row.
    func commit(editingStyle: DataSourceEditingStyle, forRowAt indexPath: IndexPath)
    /// Performs the user's move of a row.
    func move(rowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath)
    /// The title over a section; `nil` for none.
    func titleForHeader(in section: Int) -> String?
    /// The title under a section; `nil` for none.
    func titleForFooter(in section: Int) -> String?
}

extension DataSourceDelegate {
    /// Nothing.
    public func emptyView() -> DataSourceEmptyView? { nil }
    /// No row.
    public func canEditRow(at indexPath: IndexPath) -> Bool { false }
    /// No row.
    public func canMoveRow(at indexPath: IndexPath) -> Bool { false }
    /// No index titles.
    public func shouldShowSectionIndexTitles() -> Bool { false }
    /// Does nothing.
    public func commit(editingStyle: DataSourceEditingStyle, forRowAt indexPath: IndexPath) {}
    /// Does nothing.
    public func move(rowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath) {}
    /// None.
    public func titleForHeader(in section: Int) -> String? { nil }
    /// None.
    public func titleForFooter(in section: Int) -> String? { nil }
}
