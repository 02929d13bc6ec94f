import CSQLite
import Foundation

/// What the triggers of derived attributes changed during a save.
///
/// Apple's stores have triggers that call SQL functions of the framework for each row they changed. The connection
/// registers those functions; this is where their calls end up. Confined like its connection.
package final class AffectedValues {
    /// One derived value that a trigger has written.
    package struct Change: Sendable, Hashable {
        package var table: String
        /// Entity number of the row.
        package var entity: Int64
        package var primaryKey: Int64
        /// Name of the derived attribute, as in the model.
        package var property: String
        package var value: SQLValue
        /// Whether the row itself was inserted by the statement that fired the trigger.
        package var isInsertion: Bool

        package init(
            table: String, entity: Int64, primaryKey: Int64, property: String, value: SQLValue, isInsertion: Bool
        ) {
            self.table = table
            self.entity = entity
            self.primaryKey = primaryKey
            self.property = property
            self.value = value
            self.isInsertion = isInsertion
        }
    }

    private var changes: [Change] = []
    /// During a batch, nothing else is recorded: what the batch makes triggers change isn't needed, and its size has no
    /// limit.
    var batch: Batch?

    /// What has to be known of the changes of a batch: the owners of sums that have to be added up at its end.
    struct Batch {
        var sums: Set<DerivedSum.Key>
        var owners: Set<DerivedSums.Owner> = []
    }

    /// Returns the changes in order, and empties the list.
    package func take() -> [Change] {
        defer { changes.removeAll() }
        return changes
    }

    func append(_ change: Change) {
        guard batch != nil else { return changes.append(change) }
        let owner = DerivedSums.Owner(change)
        if batch?.sums.contains(owner.key) == true { batch?.owners.insert(owner) }
    }
}
