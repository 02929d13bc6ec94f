import Foundation

/// Rows that a store is to insert in one transaction.
package struct BatchInsert {
    package var entity: EntityLayout
    package var rows: BatchRowSource
    /// What happens to a row that would break a uniqueness constraint.
    package var mergePolicy: NSMergePolicyType
    package var wantsReferences: Bool
    package var author: String?
    package var contextName: String?
}

/// A row of a batch insert.
package struct BatchRow {
    /// By slot; defaults where nothing was given.
    package var values: ContiguousArray<PropertyValue>
    /// The slots that were given.
    package var given: [Int]
}

/// Rows that a store is to change in one transaction.
package struct BatchUpdate {
    package var query: StoreQuery
    package var changes: [BatchAssignment]
    package var wantsReferences: Bool
    package var author: String?
    package var contextName: String?

    package init(
        query: StoreQuery, changes: [BatchAssignment], wantsReferences: Bool, author: String? = nil,
        contextName: String? = nil
    ) {
        self.query = query
        self.changes = changes
        self.wantsReferences = wantsReferences
        self.author = author
        self.contextName = contextName
    }
}

/// Rows that a store is to delete in one transaction, with what follows from the delete rules.
package struct BatchDelete {
    package enum Target {
        case query(StoreQuery)
        /// References by root entity.
        case references([EntityLayout: [Int64]])
    }

    package var target: Target
    package var wantsReferences: Bool
    package var author: String?
    package var contextName: String?

    package init(target: Target, wantsReferences: Bool, author: String? = nil, contextName: String? = nil) {
        self.target = target
        self.wantsReferences = wantsReferences
        self.author = author
        self.contextName = contextName
    }
}

/// What a batch did to a store.
package struct BatchOutcome {
    package var count = 0
    /// The rows, where they were asked for.
    package var references: [ObjectReference] = []

    package init(count: Int = 0, references: [ObjectReference] = []) {
        self.count = count
        self.references = references
    }
}

/// Stores that know nothing of batches.
extension RowWriting {
    package func insertRows(_ batch: BatchInsert) throws -> BatchOutcome { throw unsupported("insert") }
    package func updateRows(_ batch: BatchUpdate) throws -> BatchOutcome { throw unsupported("update") }
    package func deleteRows(_ batch: BatchDelete) throws -> BatchOutcome { throw unsupported("delete") }

    private func unsupported(_ action: String) -> CocoaError {
        CoreDataError.make(
            NSPersistentStoreUnsupportedRequestTypeError,
            "The store \(url?.lastPathComponent ?? identifier ?? "") of type \(type) can't execute a batch \(action) "
                + "request.", path: url?.path, userInfo: [NSAffectedStoresErrorKey: [self as NSPersistentStore]])
    }
}
