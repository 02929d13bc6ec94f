/// What is written to a store of rows.
///
/// Every method may be called from any thread; a store serializes what it must.
package protocol RowWriting: NSPersistentStore {
    /// Hands out `count` new references for rows of the root entity's tree and returns the first. Never reused.
    func allocateReferences(count: Int, root: EntityLayout) throws -> Int64
    /// Whether another program executes plans, so that ``SavePlan/whileWaiting`` runs in time that would otherwise be
    /// spent waiting.
    var waitsForServer: Bool { get }
    /// Executes a plan in one transaction, or changes nothing and returns why.
    func execute(_ plan: SavePlan) throws -> SaveOutcome
    /// Inserts rows of one entity in one transaction. An error, unless the store knows of batches.
    func insertRows(_ batch: BatchInsert) throws -> BatchOutcome
    /// Changes the rows that match in one transaction. An error, unless the store knows of batches.
    func updateRows(_ batch: BatchUpdate) throws -> BatchOutcome
    /// Deletes rows, and what the delete rules say, in one transaction. Nothing points to them afterwards. An error,
    /// unless the store knows of batches.
    func deleteRows(_ batch: BatchDelete) throws -> BatchOutcome
}

extension RowWriting {
    package var waitsForServer: Bool { false }
}
