#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata set`
struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes properties of objects.",
        discussion: """
            Write a value according to the property's type: a number, true or false, a date such as \
            2024-05-01T12:30:00.000Z, base64, a UUID; object URIs separated by commas for a relationship; a case \
            for an enumeration; JSON for a struct, or author.name=VALUE for one of its elements. null sets an \
            optional property to nil; "null" in quotes is the string.

            Examples: set Library.sqlite Book/p12 pages=77 author=Author/p3
                      set Library.sqlite Book --where 'price > 30' inPrint=false --yes
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var damage: DamageArguments
    @OptionGroup var found: FoundArguments

    @Argument(
        help: "The object: its URI, or Entity/p12; with --where, an entity.", completion: Completions.objects)
    var object: String

    @Argument(help: ArgumentHelp("What to set.", valueName: "key=value"), completion: Completions.assignments)
    var assignments: [Assignment]

    func validate() throws { try Assignment.check(assignments) }

    func run() throws {
        let session = try store.session(editing: found.ending)
        if found.predicate != nil {
            // A mistake shows even if no object is found.
            let entity = try session.entity(named: object)
            for assignment in assignments { try assignment.check(for: entity) }
        }
        try damage.reading(session) {
            try EditReport(session, found.ending).run { context in
                for object in try found.objects(named: [object], in: session, context: context) {
                    for assignment in assignments {
                        try assignment.apply(to: object, in: session, context: context)
                    }
                }
            }
        }
    }
}
#endif
