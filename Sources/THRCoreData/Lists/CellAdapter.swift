import OpenCoreDataKit

/// Stands between a list of objects and a surface of cells: makes the cells, and fills those again whose objects
/// changed.
@MainActor final class CellAdapter<Delegate: DataSourceDelegate, Cell: AnyObject>: ListSurface {
    typealias Row = Delegate.Object

    private weak var surface: (any CellSurface<Cell>)?
    private weak var delegate: Delegate?
    /// Whether the surface can move cells. If not, a cell that moves goes and comes.
    private let movesCells: Bool
    private var content: ListContent<Row>?

    init(_ surface: some CellSurface<Cell>, delegate: Delegate, movesCells: Bool) {
        self.surface = surface
        self.delegate = delegate
        self.movesCells = movesCells
    }

    /// The object whose cell is selected.
    var selected: Row? { surface?.selectedIndexPath.flatMap { content?.row(at: $0) } }

    // MARK: Surface

    var isShowing: Bool { surface?.isShowing ?? false }

    func show(_ content: ListContent<Row>?) {
        self.content = content
        surface?.show(
            content.map { content in
                ListContent(
                    sections: { content.numberOfSections }, rows: { content.numberOfRows(inSection: $0) },
                    title: { content.title(ofSection: $0) },
                    row: { [weak self] path in content.row(at: path).flatMap { self?.cell($0, path) } })
            })
    }

    func reload() { surface?.reload() }

    func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void) {
        guard let surface else { return completion() }
        fillAgain(changes, surface)
        var structure = movesCells ? changes : changes.withoutMoves
        structure.updatedRows = []
        guard structure.changesPositions else { return completion() }
        surface.apply(structure, completion: completion)
    }

    func showPlaceholder(_ isEmpty: Bool) { surface?.showEmptyView(isEmpty ? delegate?.emptyView() : nil) }

    // MARK: Cells

    private func cell(_ object: Row, _ path: IndexPath) -> Cell? {
        guard let surface, let delegate else { return nil }
        let identifier = delegate.cellIdentifier(forObject: object)
        let cell = surface.dequeueReusableCell(withIdentifier: identifier, for: path)
        fill(cell, object, path, delegate, "for '\(identifier)' ")
        return cell
    }

    /// Cells that aren't visible are made when they are shown.
    private func fillAgain(_ changes: ListChanges, _ surface: any CellSurface<Cell>) {
        guard let delegate else { return }
        for (old, new) in zip(changes.updatedRows, changes.updatedRowsAfter) {
            guard let cell = surface.cell(at: old), let object = content?.row(at: new) else { continue }
            fill(cell, object, old, delegate)
        }
    }

    private func fill(
        _ cell: Cell?, _ object: Row, _ path: IndexPath, _ delegate: Delegate, _ identifier: String = ""
    ) {
        guard let typed = cell as? Delegate.Cell else {
            let found = cell.map { "\(type(of: $0))" } ?? "nothing"
            programmerError(
                "The cell \(identifier)at the index path \(Array(path)) is a \(Delegate.Cell.self), and the table gives "
                    + "\(found).")
        }
        delegate.configure(cell: typed, forObject: object)
    }
}
