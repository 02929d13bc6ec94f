public import OpenCoreDataKit

/// One step of a batch that made one list of another.
///
/// What went, was updated, or a move's beginning counts in the list before the batch; what came, or a move's end, in
/// the list after it.
public enum DataProviderUpdate<Object> {
    /// An object came.
    case insert(at: IndexPath)
    /// An object has other values.
    case update(at: IndexPath, with: Object)
    /// An object stands elsewhere, perhaps with other values.
    case move(from: IndexPath, to: IndexPath)
    /// An object went.
    case delete(at: IndexPath)
    /// A section came.
    case insertSection(at: Int)
    /// A section went.
    case deleteSection(at: Int)
}

/// Is notified of the changes to what a provider has.
@MainActor public protocol DataProviderDelegate: AnyObject {
    /// What the provider has.
    associatedtype Object

    /// Called after a change.
    ///
    /// The provider has the new objects already. Pass the steps on to ``CellDataSource/processUpdates(updates:)``.
    ///
    /// - Parameter updates: The steps, which belong together; `nil` when everything may be different.
    func dataProviderDidUpdate(updates: [DataProviderUpdate<Object>]?)
}

extension ListChanges {
    /// The batch of steps in any order.
    init<Object>(_ updates: [DataProviderUpdate<Object>]) {
        var changes = ListChanges()
        for update in updates {
            switch update {
            case .insert(let path): changes.insertedRows.append(path)
            case .update(let path, _): changes.updatedRows.append(path)
            case .move(let old, let new): changes.movedRows.append(Move(from: old, to: new))
            case .delete(let path): changes.deletedRows.append(path)
            case .insertSection(let section): changes.insertedSections.append(section)
            case .deleteSection(let section): changes.deletedSections.append(section)
            }
        }
        self.init(
            deletedSections: changes.deletedSections, insertedSections: changes.insertedSections,
            deletedRows: changes.deletedRows, insertedRows: changes.insertedRows, movedRows: changes.movedRows,
            updatedRows: changes.updatedRows)
    }

    /// The steps of the batch.
    ///
    /// - Parameter object: The objects of the new list.
    func updates<Object>(_ object: (IndexPath) -> Object) -> [DataProviderUpdate<Object>] {
        var updates: [DataProviderUpdate<Object>] = deletedRows.map { .delete(at: $0) }
        updates += deletedSections.map { .deleteSection(at: $0) }
        updates += insertedSections.map { .insertSection(at: $0) }
        updates += insertedRows.map { .insert(at: $0) }
        updates += movedRows.map { .move(from: $0.from, to: $0.to) }
        updates += zip(updatedRows, updatedRowsAfter).map { .update(at: $0, with: object($1)) }
        return updates
    }
}
