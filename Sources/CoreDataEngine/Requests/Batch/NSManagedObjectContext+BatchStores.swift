import Foundation

extension NSManagedObjectContext {
    /// The rule of the merge policy; a policy of another class fails.
    final var mergePolicyType: NSMergePolicyType { (mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType }

    /// The store that new objects of a batch go to: the first of those asked for that may be written.
    final func storeForInserting(_ request: NSPersistentStoreRequest, _ layout: EntityLayout) throws -> any RowStore {
        let stores = try self.stores(for: request, layout)
        if let store = stores.first(where: { !$0.isReadOnly }) { return store }
        try stores.first?.checkWritable()
        throw CoreDataError.make(
            NSCoreDataError, "None of the persistent stores of the batch insert request has the entity \(layout.name).")
    }
}
