package import CoreDataPlatform

extension ControllerChanges {
    /// The steps as one batch.
    package var listChanges: ListChanges {
        var changes = ListChanges()
        for section in sections {
            switch section.type {
            case .insert: changes.insertedSections.append(section.index)
            case .delete: changes.deletedSections.append(section.index)
            default: continue
            }
        }
        for row in rows {
            switch (row.type, row.old, row.new) {
            case (.insert, _, let new?): changes.insertedRows.append(new)
            case (.delete, let old?, _): changes.deletedRows.append(old)
            case (.move, let old?, let new?): changes.movedRows.append(ListChanges.Move(from: old, to: new))
            case (.update, let old?, _): changes.updatedRows.append(old)
            default: continue
            }
        }
        return ListChanges(
            deletedSections: changes.deletedSections, insertedSections: changes.insertedSections,
            deletedRows: changes.deletedRows, insertedRows: changes.insertedRows, movedRows: changes.movedRows,
            updatedRows: changes.updatedRows
        ).withMovesInPlaceAsUpdates
    }
}

extension ListChanges {
    /// The batch with moves to the same position as updates, where nothing else says that the row passed others.
    ///
    /// A move to the same position is more than an update when sections went or came before it, or when it changed
    /// positions with rows that stay.
    package var withMovesInPlaceAsUpdates: ListChanges {
        guard movedRows.contains(where: { $0.from == $0.to }) else { return self }
        let positions = ListPositions(self)
        let inPlace = movedRows.filter { move in
            move.from == move.to && positions.newSection(of: move.from.section) == move.to.section
                && positions.keptBefore(old: move.from) == positions.keptBefore(new: move.to)
        }
        let sources = Set(inPlace.map(\.from))
        var result = self
        result.movedRows.removeAll { sources.contains($0.from) }
        result.updatedRows = (updatedRows + sources).sorted()
        return result
    }
}
