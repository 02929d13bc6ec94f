import Foundation

/// The files of external values that a save makes and makes superfluous.
///
/// Files are written before the rows that name them. What a save that failed wrote is removed again; what a save that
/// succeeded no longer names is removed after it.
final class ExternalFiles {
    private let externalData: ExternalData
    private var written: [String] = []
    private var replaced: [String] = []

    init(_ externalData: ExternalData) { self.externalData = externalData }

    /// What the column holds for a value; a large one is written to a file.
    func encode(_ value: Data) throws -> Data {
        let column = try externalData.encode(value)
        if let name = ExternalData.fileName(in: column) { written.append(name) }
        return column
    }

    /// Notes the files that rows name which a plan deletes or changes. Call it before the plan is carried out.
    func noteReplaced(by plan: SavePlan, store: StoreMapping, connection: SQLiteConnection) throws {
        for (change, isDelete) in plan.updates.map({ ($0, false) }) + plan.deletes.map({ ($0, true) }) {
            guard let entity = store[change.entity], entity.hasExternalColumns else { continue }
            let columns = entity.layout.slots.compactMap { $0 }.filter { isDelete || change.slots.contains($0.index) }
                .compactMap { entity.column($0) }.filter(\.isExternal).map { SQLName.quotedIfNeeded($0.name) }
            guard !columns.isEmpty else { continue }
            let sql =
                "SELECT \(columns.joined(separator: ",")) FROM \(SQLName.quotedIfNeeded(entity.table)) WHERE Z_PK=?"
            for value in try connection.rows(sql, [.integer(change.reference)]).first ?? [] {
                noteReplaced(value)
            }
        }
    }

    /// Notes the file that a column names which is going to be deleted or changed.
    func noteReplaced(_ value: SQLiteValue) {
        if case .blob(let column) = value, let name = ExternalData.fileName(in: column) { replaced.append(name) }
    }

    /// Removes what is no longer named, after the transaction was committed.
    func didSave() { externalData.remove(replaced) }

    /// Removes what was written for nothing, after the transaction was rolled back.
    func didFail() { externalData.remove(written) }
}
