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
    func show(_ content: ListContent<Row>?)

    /// All rows may be others.
    func reload()

    /// Applies a batch of changes. The content already has the new rows.
    ///
    /// - Parameters:
    ///   - changes: The batch. It includes the rows of deleted and inserted sections; surfaces that must not receive
    ///     these use ``ListChanges/folded``.
    ///   - completion: The surface calls it once it can take the next batch.
    func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void)

    /// Whether the list is empty, reported after each reload and each batch.
    func showPlaceholder(_ isEmpty: Bool)
}

extension ListSurface {
    /// `true` by default.
    public var isShowing: Bool { true }

    /// Does nothing by default.
    ///
    /// - Parameter isEmpty: Whether the list is empty.
    public func showPlaceholder(_ isEmpty: Bool) {}
}
