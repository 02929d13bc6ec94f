import Foundation

/// The files of external values that a save creates or makes obsolete.
///
/// Files are written before the rows that name them. If the save fails, the files that it wrote are removed. If it
/// succeeds, files that are no longer named are removed when no reader can see them (`UnusedFiles`).
final class ExternalFiles {
    private let externalData: ExternalData
    private let unused: UnusedFiles
    private var written: [String] = []
    private var replaced: [String] = []
    private var isCommitting = false

    init(_ runtime: StoreRuntime) {
        externalData = runtime.externalData
        unused = runtime.unusedFiles
    }

    /// What the column holds for a value; a large one is written to a file.
    func encode(_ value: Data) throws -> Data {
        try externalData.encode(value) { name in
            try unused.willWrite(name)
            written.append(name)
        }
    }

    /// Records the files of the rows that a plan deletes or changes. Call it before the plan is executed.
    func recordReplaced(by plan: SavePlan, store: StoreMapping, connection: SQLiteConnection) throws {
        for (change, isDelete) in plan.updates.map({ ($0, false) }) + plan.deletes.map({ ($0, true) }) {
            guard let entity = store[change.entity], entity.hasExternalColumns else { continue }
            let columns = entity.layout.slots.compactMap { $0 }.filter { isDelete || change.slots.contains($0.index) }
                .compactMap { entity.column($0) }.filter(\.isExternal).map { SQLName.quotedIfNeeded($0.name) }
            guard !columns.isEmpty else { continue }
            let sql =
                "SELECT \(columns.joined(separator: ",")) FROM \(SQLName.quotedIfNeeded(entity.table)) WHERE Z_PK=?"
            for value in try connection.rows(sql, [.integer(change.reference)]).first ?? [] {
                recordReplaced(value)
            }
        }
    }

    /// Notes the file that a column names which is going to be deleted or changed.
    func recordReplaced(_ value: SQLValue) {
        if case .blob(let column) = value, let name = ExternalData.fileName(in: column) { replaced.append(name) }
    }

    /// Notes that whether the rows are there cannot be known for sure from now on.
    func willCommit() { isCommitting = true }

    /// Notes what is no longer named, after the transaction was committed.
    func didSave() { unused.didCommit(written: written, dropped: replaced) }

    /// Removes what was written for nothing, after the transaction was rolled back.
    func didFail() {
        guard !isCommitting else { return unused.didFailToCommit(written) }
        externalData.remove(written)
        unused.didTakeBack(written)
    }
}
