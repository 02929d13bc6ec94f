import Foundation

/// A surface without a screen. It keeps the rows, applies each batch to them and checks the batch as UIKit would.
///
/// Use it in tests, and in programs that pass batches on. A batch that doesn't match the rows is recorded in
/// ``violations``, and the surface reloads.
@MainActor public final class HeadlessSurface<Row>: ListSurface {
    /// An event of the surface.
    public enum Event: Hashable, Sendable {
        /// All rows were reloaded.
        case reload
        /// A batch was applied.
        case batch(ListChanges)
        /// The surface was told whether the list is empty.
        case placeholder(Bool)
    }

    /// The rows after all batches.
    public private(set) var rows: [[Row]] = []
    /// The titles of the sections.
    public private(set) var titles: [String?] = []
    /// Whether the list was empty when it was last reported.
    public private(set) var showsPlaceholder = false
    /// Whether the surface counts as visible.
    public var isShowing = true
    /// Violations of the rules by batches.
    public private(set) var violations: [ListChanges.Violation] = []
    /// The events, in order.
    public private(set) var events: [Event] = []
    /// Whether batches complete at once. If not, ``completeBatch()`` completes them.
    public var completesAtOnce = true
    private var content: ListContent<Row>?
    private var completions: [@MainActor () -> Void] = []

    /// Creates a surface without rows.
    ///
    /// The surface counts as visible and completes batches at once. Set ``isShowing`` or ``completesAtOnce`` to test
    /// how a list treats a hidden or a slow surface.
    public init() {}

    /// The batches among the events.
    public var batches: [ListChanges] {
        events.compactMap { if case .batch(let changes) = $0 { changes } else { nil } }
    }

    /// The number of reloads.
    public var reloads: Int { events.reduce(0) { $0 + ($1 == .reload ? 1 : 0) } }

    /// Removes the events.
    ///
    /// ``batches`` and ``reloads`` are derived from the events, so they start again at zero. Rows and ``violations``
    /// stay.
    public func forgetEvents() { events = [] }

    /// Whether a batch isn't completed yet.
    public var isBusy: Bool { !completions.isEmpty }

    /// Completes the oldest batch that isn't completed.
    ///
    /// Use it if ``completesAtOnce`` is `false`. Nothing happens if no batch is open. The list may start the next batch
    /// before this returns.
    public func completeBatch() {
        guard !completions.isEmpty else { return }
        completions.removeFirst()()
    }

    /// Sets the content to display.
    ///
    /// The rows don't change until the next ``reload()`` or batch.
    ///
    /// - Parameter content: The content; `nil` removes it.
    public func show(_ content: ListContent<Row>?) { self.content = content }

    /// Reloads all rows.
    ///
    /// The event is recorded, and rows and titles are read from the content. Without content there are no rows.
    public func reload() {
        events.append(.reload)
        takeAll()
    }

    private func takeAll() {
        rows = content?.rows ?? []
        takeTitles()
    }

    private func takeTitles() { titles = rows.indices.map { content?.title(ofSection: $0) } }

    /// Applies a batch, and calls `completion` afterwards.
    ///
    /// The batch is checked by the rules of UIKit's batch updates as it is, without the rows of deleted and inserted
    /// sections, and without moves. A batch that breaks them is added to ``violations``, and all rows are read from the
    /// content instead. `completion` is called before this returns, unless ``completesAtOnce`` is `false`.
    ///
    /// - Parameters:
    ///   - changes: The batch.
    ///   - completion: Called when the batch is applied.
    public func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void) {
        events.append(.batch(changes))
        do {
            try carryOut(changes)
            takeTitles()
        } catch {
            violations.append(error as? ListChanges.Violation ?? ListChanges.Violation("\(error)"))
            takeAll()
        }
        completions.append(completion)
        if completesAtOnce { completeBatch() }
    }

    private func carryOut(_ changes: ListChanges) throws {
        let counts = content?.counts ?? []
        try changes.check(from: rows.map(\.count), to: counts)
        try changes.folded.check(from: rows.map(\.count), to: counts)
        try changes.withoutMoves.folded.check(from: rows.map(\.count), to: counts)
        rows = try changes.applied(to: rows) { path in
            guard let row = content?.row(at: path) else {
                throw ListChanges.Violation("The list has no row \(path).")
            }
            return row
        }
        guard rows.map(\.count) == counts else {
            throw ListChanges.Violation("The steps give \(rows.map(\.count)) rows; the list has \(counts).")
        }
    }

    /// Records whether the list is empty.
    ///
    /// The event is recorded even if the value is the same as before.
    ///
    /// - Parameter isEmpty: Whether the list is empty.
    public func showPlaceholder(_ isEmpty: Bool) {
        events.append(.placeholder(isEmpty))
        showsPlaceholder = isEmpty
    }
}
