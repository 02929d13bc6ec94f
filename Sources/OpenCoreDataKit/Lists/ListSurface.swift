/// Something that shows the rows of a list and takes changes to it batch by batch: a table, a terminal, a page.
///
/// A list drives a surface by `drive(_:row:)` of ``LiveResults``. It never begins a batch before the one before has
/// completed.
@MainActor public protocol ListSurface<Row>: AnyObject {
    /// What stands in a row: a cell, a line of text.
    associatedtype Row

    /// Whether anybody can see the surface. One that nobody sees is asked to reload instead of getting batches.
    var isShowing: Bool { get }

    /// Gives the surface the rows that it is to show from now on, `nil` for none. A `reload` follows.
    func show(_ content: ListContent<Row>?)

    /// All rows may be others.
    func reload()

    /// Carries out a batch. The content has the new rows already.
    ///
    /// - Parameters:
    ///   - changes: The batch, with the rows of sections that go and come. Surfaces that must not get these use
    ///     ``ListChanges/folded``.
    ///   - completion: To be called once the surface can take the next batch.
    func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void)

    /// Whether the list is empty, reported after each reload and each batch.
    func showPlaceholder(_ isEmpty: Bool)
}

extension ListSurface {
    /// The surface can always be seen.
    public var isShowing: Bool { true }

    /// Shows no placeholder.
    public func showPlaceholder(_ isEmpty: Bool) {}
}
