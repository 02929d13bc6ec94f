import Synchronization

/// What is known about the stray rows of an open store: rows that belong to no entity of their table's tree, or whose
/// primary key is negative, which represents objects that were never saved.
///
/// Such rows are damage. They don't become objects and aren't counted. Reading a table detects them at no cost; SQL
/// that counts or skips rows has to exclude them, unless the table is known to be free of them.
final class StrayRows: Sendable {
    /// What is known of a table. What another process does to the file later is noticed when the rows are read.
    enum Knowledge {
        case unknown, none, some
    }

    private struct State {
        /// By `EntityLayout.rootIndex`.
        var knowledge: [Int: Knowledge] = [:]
        var reported: Set<String> = []
        /// How many rows fetches with an offset have passed over, by `EntityLayout.rootIndex`.
        var passedOver: [Int: Int64] = [:]
    }

    private let storeName: String
    private let state = Mutex(State())

    init(storeName: String) { self.storeName = storeName }

    func knowledge(of entity: EntityLayout) -> Knowledge {
        state.withLock { $0.knowledge[entity.rootIndex] ?? .unknown }
    }

    /// Notes that a whole table was read and has no stray rows.
    func recordNone(in entity: EntityLayout) {
        state.withLock { state in
            if state.knowledge[entity.rootIndex] != .some { state.knowledge[entity.rootIndex] = Knowledge.none }
        }
    }

    /// Notes that a fetch passes over rows; returns over how many all such fetches passed.
    func recordPassedOver(_ count: Int, in entity: EntityLayout) -> Int64 {
        state.withLock { state in
            let (sum, isHuge) = state.passedOver[entity.rootIndex, default: 0].addingReportingOverflow(Int64(count))
            state.passedOver[entity.rootIndex] = isHuge ? .max : sum
            return isHuge ? .max : sum
        }
    }

    /// Notes a stray row, and logs the first one of its table.
    ///
    /// - Parameters:
    ///   - reference: Its `Z_PK`.
    ///   - number: Its `Z_ENT`.
    ///   - mapping: The entity that was looked for.
    func record(_ reference: Int64, number: Int64, in mapping: EntityMapping) {
        state.withLock { $0.knowledge[mapping.layout.rootIndex] = .some }
        report(
            "\(mapping.table)",
            "leaves out row \(reference) of table \(mapping.table): "
                + (reference < 0
                    ? "its primary key is negative."
                    : "its entity number (Z_ENT) is \(number), which is not that of \(mapping.layout.name) or one of its "
                        + "subentities."))
    }

    /// Notes that a to-one relationship leads to no row that there can be, and logs the first time for each column.
    ///
    /// - Parameters:
    ///   - what: What is wrong with the value of the column, and what becomes of it.
    ///   - reference: The row that has it.
    func recordReference(_ what: String, column: String, of reference: Int64, in mapping: EntityMapping) {
        report(
            "\(mapping.table).\(column)",
            "has a damaged relationship in row \(reference) of table \(mapping.table): \(column) \(what)")
    }

    private func report(_ key: String, _ sentence: String) {
        guard state.withLock({ $0.reported.insert(key).inserted }) else { return }
        DiagnosticLog.warn(
            "OpenCoreData",
            "The store \(storeName) \(sentence) The command 'opencoredata check' lists all that is damaged.")
    }
}

extension StoreMapping {
    /// A condition that the rows of some entities of one tree satisfy, and stray rows do not, for the table that goes
    /// by an alias. No index is looked through for it.
    func membershipCondition(of entities: [EntityLayout], alias: String) -> String {
        let numbers = entities.compactMap { self[$0]?.number }
        return SQLiteDialect().isSound(alias, SystemColumns(), entities: numbers).sql
    }
}
