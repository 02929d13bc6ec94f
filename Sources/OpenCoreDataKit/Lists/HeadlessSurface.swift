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
    public init() {}

    /// The batches among the events.
    public var batches: [ListChanges] {
        events.compactMap { if case .batch(let changes) = $0 { changes } else { nil } }
    }

    /// The number of reloads.
    public var reloads: Int { events.reduce(0) { $0 + ($1 == .reload ? 1 : 0) } }

    /// Removes the events.
    public func forgetEvents() { events = [] }

    /// Whether a batch isn't completed yet.
    public var isBusy: Bool { !completions.isEmpty }

    /// Completes the oldest batch that isn't completed.
    public func completeBatch() {
        guard !completions.isEmpty else { return }
        completions.removeFirst()()
    }

    /// Sets the content to display.
    ///
    /// - Parameter content: The content; `nil` removes it.
    public func show(_ content: ListContent<Row>?) { self.content = content }

    /// Reloads all rows.
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
    /// - Parameter isEmpty: Whether the list is empty.
    public func showPlaceholder(_ isEmpty: Bool) {
        events.append(.placeholder(isEmpty))
        showsPlaceholder = isEmpty
    }
}
