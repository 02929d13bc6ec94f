public import OpenCoreDataKit

#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// The view that is shown if the list has no objects.
public typealias DataSourceEmptyView = UIView
/// The user's edit of a row.
public typealias DataSourceEditingStyle = UITableViewCell.EditingStyle
#else
/// The view that is shown if the list has no objects: any object that the surface can show.
public typealias DataSourceEmptyView = AnyObject

/// The user's edit of a row.
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
    /// The type of the objects that the cells show.
    associatedtype Object
    /// The class of the cells.
    associatedtype Cell: AnyObject

    /// The identifier of the cell for an object.
    ///
    /// Called each time that a cell is made. Different objects can have cells of different identifiers, all of them of
    /// the class `Cell`.
    ///
    /// - Parameter object: The object.
    /// - Returns: The identifier.
    func cellIdentifier(forObject object: Object) -> String
    /// Fills the cell of an object: a new one, or again when the object has changed.
    ///
    /// A cell that was used for another object has that object's content, so set everything.
    ///
    /// - Parameters:
    ///   - cell: The cell.
    ///   - object: The object.
    func configure(cell: Cell, forObject object: Object)

    /// What stands in for a list without objects; `nil` for nothing.
    ///
    /// Asked each time that a reload or a batch leaves the list empty.
    ///
    /// - Returns: The view, or `nil`.
    func emptyView() -> DataSourceEmptyView?
    /// Whether the user may delete a row, or insert one there.
    ///
    /// The default is `false`.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: Whether the row can be edited.
    func canEditRow(at indexPath: IndexPath) -> Bool
    /// Whether the user may move a row.
    ///
    /// The default is `false`.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: Whether the row can be moved.
    func canMoveRow(at indexPath: IndexPath) -> Bool
    /// Whether there is an index of the sections beside the list.
    ///
    /// The default is `false`.
    ///
    /// - Returns: Whether the index is shown.
    func shouldShowSectionIndexTitles() -> Bool
    /// Performs the user's edit of a row.
    ///
    /// Delete or insert the object here; the list follows when the provider reports the change.
    ///
    /// - Parameters:
    ///   - editingStyle: What the user does.
    ///   - indexPath: The section and the row.
    func commit(editingStyle: DataSourceEditingStyle, forRowAt indexPath: IndexPath)
    /// Performs the user's move of a row.
    ///
    /// Change the order of the objects here.
    ///
    /// - Parameters:
    ///   - sourceIndexPath: The present index path.
    ///   - destinationIndexPath: The new index path.
    func move(rowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath)
    /// The title over a section; `nil` for none.
    ///
    /// The default is `nil`.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The title, or `nil`.
    func titleForHeader(in section: Int) -> String?
    /// The title under a section; `nil` for none.
    ///
    /// The default is `nil`.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The title, or `nil`.
    func titleForFooter(in section: Int) -> String?
}

extension DataSourceDelegate {
    /// Nothing.
    ///
    /// An empty list then shows nothing.
    ///
    /// - Returns: `nil`.
    public func emptyView() -> DataSourceEmptyView? { nil }
    /// No row.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: `false`.
    public func canEditRow(at indexPath: IndexPath) -> Bool { false }
    /// No row.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: `false`.
    public func canMoveRow(at indexPath: IndexPath) -> Bool { false }
    /// No index titles.
    public func shouldShowSectionIndexTitles() -> Bool { false }
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - editingStyle: What the user does.
    ///   - indexPath: The section and the row.
    public func commit(editingStyle: DataSourceEditingStyle, forRowAt indexPath: IndexPath) {}
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - sourceIndexPath: The present index path.
    ///   - destinationIndexPath: The new index path.
    public func move(rowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath) {}
    /// None.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: `nil`.
    public func titleForHeader(in section: Int) -> String? { nil }
    /// None.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: `nil`.
    public func titleForFooter(in section: Int) -> String? { nil }
}
