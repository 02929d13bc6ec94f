public import CoreDataEngine

extension NSManagedObjectModel {
    /// The model of classes, or nil where it has no entities.
    ///
    /// For stacks that read the files of a container with Core Data's API. Classes that the given ones have
    /// relationships with are added.
    ///
    /// - Parameters:
    ///   - types: The classes.
    ///   - model: A model whose entities are added.
    /// - Returns: The model; `nil` also if something is wrong with a class, or the models can't be merged.
    public static func makeManagedObjectModel(
        for types: [any PersistentModel.Type], mergedWith model: NSManagedObjectModel? = nil
    ) -> NSManagedObjectModel? {
        makeManagedObjectModel(for: Schema(types), mergedWith: model)
    }

    /// The model of a schema, or nil where it has no entities.
    ///
    /// - Parameters:
    ///   - schema: The entities.
    ///   - model: A model whose entities are added.
    /// - Returns: The model; `nil` also if something is wrong with the schema, or the models can't be merged.
    public static func makeManagedObjectModel(
        for schema: Schema, mergedWith model: NSManagedObjectModel? = nil
    ) -> NSManagedObjectModel? {
        guard schema.problem == nil else { return nil }
        var builder = SchemaModel(schema)
        let made = builder.make()
        if let model { return NSManagedObjectModel(byMerging: [made, model]) }
        return made.entities.isEmpty ? nil : made
    }
}
