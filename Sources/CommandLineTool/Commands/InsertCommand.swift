#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata insert`
struct InsertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert", abstract: "Adds an object to a store.",
        discussion: """
            Values are written as for set. Properties that aren't named get their default values. The model's rules \
            are checked before anything is saved.

            Example: insert Library.sqlite Book 'title=The Loud Harbor' pages=77 author=Author/p3
            """)

    @OptionGroup var store: StoreArguments

    @Argument(help: "The entity of the object.", completion: Completions.entities)
    var entity: String

    @Argument(help: ArgumentHelp("What to set.", valueName: "key=value"), completion: Completions.assignments)
    var assignments: [Assignment] = []

    @Flag(help: "Show what would change, but save nothing.")
    var dryRun = false

    func validate() throws { try Assignment.check(assignments) }

    func run() throws {
        let ending = dryRun ? EditReport.Ending.dryRun : .saving
        let session = try store.session(editing: ending)
        let entity = try session.entity(named: entity)
        guard !entity.isAbstract else {
            let names = StoreSession.listed(
                entity.descendants.filter { !$0.isAbstract }.map(\.displayName).sorted())
            let hint = names.isEmpty ? "" : "; its subentities are \(names)"
            throw ToolFailure("The entity \(entity.displayName) is abstract and can't have objects\(hint).")
        }
        try EditReport(session, ending).run { context in
            let object = NSEntityDescription.insertNewObject(forEntityName: entity.displayName, into: context)
            for assignment in assignments { try assignment.apply(to: object, in: session, context: context) }
        }
    }
}
#endif
