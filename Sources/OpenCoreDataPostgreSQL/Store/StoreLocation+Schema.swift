#if PostgreSQL
import OpenCoreData

extension StoreLocation {
    /// The tables that a store has by the model that it keeps.
    func schema(of metadata: StoreMetadata, _ connection: PostgreSQLConnection) throws -> PostgreSQLSchema {
        try schema(
            of: StoreMetadata.model(schema, metadata.values, connection, location: displayName), connection)
    }

    /// The tables that a store has for a model.
    func schema(
        of model: NSManagedObjectModel, _ connection: PostgreSQLConnection
    ) throws -> PostgreSQLSchema {
        var numbers = try EntityNumbers(schema, connection).numbers
        let names = Set(model.entities.compactMap(\.name))
        numbers = numbers.filter { names.contains($0.key) }
        var builder = PostgreSQLSchemaBuilder(
            name: schema, model: ModelLayout.layout(of: model), numbers: numbers, usesForeignKeys: true)
        return try builder.build()
    }
}
#endif
