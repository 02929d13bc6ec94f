#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// Which objects of an entity are meant.
struct QueryArguments: ParsableArguments {
    @Argument(help: "The entity. Objects of its subentities are included.", completion: Completions.entities)
    var entity: String

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("A predicate in Core Data's format language.", valueName: "format"),
        completion: Completions.predicates)
    var predicate: String?

    /// Returns a request for the objects.
    ///
    /// - Throws: An error if the entity isn't in the model, or the predicate can't be read.
    func request(in session: StoreSession) throws -> NSFetchRequest<NSManagedObject> {
        let entity = try session.entity(named: entity)
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.displayName)
        request.predicate = try predicate.map { try session.typedPredicate($0, for: entity) }
        return request
    }
}
#endif
