import Foundation

/// A list as it is shown: sections of elements with the sections' names.
package struct ListState<Element> {
    package var names: [String]
    package var rows: [[Element]]

    package init(names: [String] = [], rows: [[Element]] = []) {
        self.names = names
        self.rows = rows
    }

    package var isEmpty: Bool { rows.allSatisfy(\.isEmpty) }

    package func element(at path: IndexPath) -> Element? {
        guard path.count == 2, rows.indices.contains(path.section), rows[path.section].indices.contains(path.row)
        else { return nil }
        return rows[path.section][path.row]
    }
}

extension ListState where Element: AnyObject {
    /// The identities of the elements, valid as long as the elements are held.
    package var identities: [[ObjectIdentifier]] { rows.map { $0.map { ObjectIdentifier($0) } } }

    /// The batch that makes this list of another, sections matched by name or, if not, by index.
    package func changes(
        since old: ListState, matchingNames: Bool = true, updated: Set<ObjectIdentifier> = []
    ) -> ListChanges {
        ListChanges(
            from: old.identities, to: identities, oldNames: matchingNames ? old.names : nil,
            newNames: matchingNames ? names : nil, updated: updated)
    }
}

/// Keeps one surface in step with a list of objects.
///
/// Batches don't overlap. Changes while the surface is busy are reported as one batch when it has completed, from what
/// it shows to the list at that time. A surface that isn't visible is reloaded. The surface is held weakly.
@MainActor package final class SurfaceDriver<Element: AnyObject, Row> {
    private weak var surface: (any ListSurface<Row>)?
    private let makeRow: @MainActor (Element, IndexPath) -> Row
    private let title: @MainActor (String, Int) -> String?
    private(set) var shown = ListState<Element>()
    /// What the list is while the surface is busy with an older state.
    private var waiting: (state: ListState<Element>, isReload: Bool)?
    private var updatedDuringBatch: Set<ObjectIdentifier> = []
    private var batch = 0
    private var isBusy = false

    /// - Parameters:
    ///   - surface: Who shows.
    ///   - title: The title of a section, by its name and index.
    ///   - row: What the surface shows for an element.
    package init(
        _ surface: some ListSurface<Row>, title: @escaping @MainActor (String, Int) -> String? = { name, _ in name },
        row: @escaping @MainActor (Element, IndexPath) -> Row
    ) {
        self.surface = surface
        self.title = title
        makeRow = row
        surface.show(
            ListContent(
                sections: { [weak self] in self?.shown.rows.count ?? 0 },
                rows: { [weak self] in self?.shown.rows[$0].count ?? 0 },
                title: { [weak self] section in
                    guard let self, shown.names.indices.contains(section) else { return nil }
                    return self.title(shown.names[section], section)
                },
                row: { [weak self] path in
                    guard let self, let element = shown.element(at: path) else { return nil }
                    return makeRow(element, path)
                }))
    }

    /// Whether the surface is still there.
    package var isAlive: Bool { surface != nil }

    /// Whether the surface is a certain one.
    package func drives(_ other: AnyObject) -> Bool { surface === other }

    /// Takes the rows away from the surface.
    package func detach() {
        surface?.show(nil)
        surface?.reload()
        surface = nil
    }

    /// Shows another list without steps.
    package func reload(_ state: ListState<Element>) {
        guard !isBusy else {
            waiting = (state, true)
            return
        }
        shown = state
        surface?.reload()
        surface?.showPlaceholder(state.isEmpty)
    }

    /// Shows what the list is after a batch.
    ///
    /// - Parameters:
    ///   - changes: The batch.
    ///   - element: The elements of the new list.
    ///   - state: The new list; asked only if the surface is busy, or the batch does not go with what is shown.
    package func apply(
        _ changes: ListChanges, element: (IndexPath) -> Element?, state: () -> ListState<Element>, names: () -> [String]
    ) {
        guard let surface, !changes.isEmpty else { return }
        guard !isBusy else {
            let touched = changes.updatedRowsAfter + changes.movedRows.map(\.to)
            updatedDuringBatch.formUnion(touched.compactMap { element($0) }.map { ObjectIdentifier($0) })
            waiting = (state(), waiting?.isReload ?? false)
            return
        }
        let rows = try? changes.applied(to: shown.rows) { path in
            guard let element = element(path) else { throw ListChanges.Violation("The list has no row \(path).") }
            return element
        }
        guard surface.isShowing, let rows else {
            reload(state())
            return
        }
        shown.rows = rows
        if !changes.insertedSections.isEmpty || !changes.deletedSections.isEmpty { shown.names = names() }
        begin(changes, surface)
    }

    private func begin(_ changes: ListChanges, _ surface: any ListSurface<Row>) {
        isBusy = true
        batch += 1
        let number = batch
        surface.apply(changes) { [weak self] in self?.complete(number) }
        surface.showPlaceholder(shown.isEmpty)
    }

    /// A surface may call more than once; the first time counts.
    private func complete(_ number: Int) {
        guard isBusy, number == batch else { return }
        isBusy = false
        guard let (state, isReload) = waiting else { return }
        waiting = nil
        let updated = updatedDuringBatch
        updatedDuringBatch = []
        guard let surface, !isReload, surface.isShowing else {
            reload(state)
            return
        }
        let changes = state.changes(since: shown, updated: updated)
        shown = state
        if !changes.isEmpty { begin(changes, surface) }
    }
}
