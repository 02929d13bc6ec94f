#if PostgreSQL
package import Foundation
package import OpenCoreData

/// A model of tables that others have made.
package struct ExistingModel {
    package let model: NSManagedObjectModel
    /// The number of tables that there are.
    package let tableCount: Int
    /// What the model doesn't have, or has in another form, as sentences.
    package let notes: [String]

    /// Reads the catalog of the schema that a URL names.
    ///
    /// - Throws: When there is no such database, or the schema is a store of OpenCoreData or has no tables.
    package init(at url: URL) throws {
        let (catalog, location) = try StoreLocation(url, options: nil).withConnection { connection, location in
            guard try !StoreMetadata.exists(location.schema, connection) else {
                throw CoreDataError.make(
                    NSPersistentStoreOperationError,
                    "\(location.displayName) is a store of OpenCoreData, which contains its own model; use model extract."
                )
            }
            return (try ExistingCatalog(location.schema, connection), location.displayName)
        }
        guard !catalog.tables.isEmpty else {
            throw CoreDataError.make(
                CocoaError.Code.fileReadNoSuchFile.rawValue,
                "There are no tables in the schema \(catalog.schema) of \(location).")
        }
        var builder = ExistingModelBuilder(catalog)
        model = builder.build()
        notes = builder.notes
        tableCount = catalog.tables.count
    }
}
#endif
