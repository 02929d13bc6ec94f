#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// Lets a command that changes objects find them by a predicate.
struct FoundArguments: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "All objects of an entity, named in place of the object, that match a predicate in Core Data's format language. "
                + "Shows what would change, and asks; scripts need --yes.", valueName: "format"),
        completion: Completions.predicates)
    var predicate: String?

    @Flag(help: "With --where: save without being asked.")
    var yes = false

    @Flag(help: "Show what would change, but save nothing.")
    var dryRun = false

    func validate() throws {
        if yes, predicate == nil { throw ValidationError("--yes needs --where.") }
        if yes, dryRun { throw ValidationError("--yes and --dry-run can't be used together.") }
    }

    var ending: EditReport.Ending {
        if predicate == nil { return dryRun ? .dryRun : .saving }
        return .ofFound(dryRun: dryRun, yes: yes)
    }

    /// The objects that are meant: those named, or those of an entity that match.
    ///
    /// - Throws: `EditReport.NothingFound` if no object matches.
    func objects(
        named names: [String], in session: StoreSession, context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        guard let predicate else {
            if let entity = names.first(where: { session.model.entitiesByName[$0] != nil }) {
                throw ToolFailure(
                    "\(entity) is an entity; name its objects, such as \(entity)/p12, or choose them with --where.")
            }
            return try names.map { try session.object(named: $0, in: context) }
        }
        guard let name = names.first, names.count == 1 else {
            throw ToolFailure("With --where, name one entity instead of objects.")
        }
        let entity = try session.entity(named: name)
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.displayName)
        request.predicate = try session.typedPredicate(predicate, for: entity)
        let objects = try context.fetch(request)
        if objects.isEmpty { throw EditReport.NothingFound(entity: entity.displayName) }
        return objects
    }
}
#endif
