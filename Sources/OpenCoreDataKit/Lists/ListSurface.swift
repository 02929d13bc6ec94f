/// A surface that shows the rows of a list and applies changes in batches: a table, a terminal, a web page.
///
/// A list drives a surface with `drive(_:row:)` of ``LiveResults``. A batch begins only after the previous one is
/// complete.
@MainActor public protocol ListSurface<Row>: AnyObject {
    /// What stands in a row: a cell, a line of text.
    associatedtype Row

    /// Whether the surface is visible. While it isn't, `reload` is called instead of `apply`.
    var isShowing: Bool { get }

    /// Sets the content to display; `nil` removes it. A `reload` follows.
    ///
    /// Called once when the list begins to drive the surface, before its first rows are loaded, and with `nil` when it
    /// stops. Keep the content, and read rows from it in `reload()` and `apply(_:completion:)`.
    ///
    /// - Parameter content: The content, or `nil` to remove it.
    func show(_ content: ListContent<Row>?)

    /// All rows may be others.
    ///
    /// Called at the beginning, when the surface isn't showing, and if a batch can't be expressed. The surface reads
    /// all rows from its content and needs no animation. It must be up to date when this returns.
    func reload()

    /// Applies a batch of changes. The content already has the new rows.
    ///
    /// The surface reads new, moved and updated rows from its content. Until it calls `completion`, it gets no
    /// other batch and the content stays the same, unless the list stops driving it. Later calls of `completion` have no
    /// effect.
    ///
    /// - Parameters:
    ///   - changes: The batch. It includes the rows of deleted and inserted sections; surfaces that must not receive
    ///     these use ``ListChanges/folded``.
    ///   - completion: The surface calls it once it can take the next batch.
    func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void)

    /// Whether the list is empty, reported after each reload and each batch.
    ///
    /// Several calls in a row may have the same value. A surface without a placeholder needs no implementation.
    ///
    /// - Parameter isEmpty: Whether the list has no rows in any section.
    func showPlaceholder(_ isEmpty: Bool)
}

extension ListSurface {
    /// `true` by default.
    public var isShowing: Bool { true }

    /// Does nothing by default.
    ///
    /// Implement it in a surface that shows something in place of an empty list.
    ///
    /// - Parameter isEmpty: Whether the list is empty.
    public func showPlaceholder(_ isEmpty: Bool) {}
}
