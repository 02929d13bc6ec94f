#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata delete`
struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes objects, applying their delete rules.",
        discussion: """
            Examples: delete Library.sqlite Book/p12 Book/p13
                      delete Library.sqlite Book --where 'inPrint == NO' --yes
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var damage: DamageArguments
    @OptionGroup var found: FoundArguments

    @Argument(
        help: ArgumentHelp("The objects: URIs, or Entity/p12; with --where, an entity.", valueName: "object"),
        completion: Completions.objects)
    var objects: [String]

    func run() throws {
        let session = try store.session(editing: found.ending)
        try damage.reading(session) {
            try EditReport(session, found.ending).run { context in
                for object in try found.objects(named: objects, in: session, context: context) {
                    context.delete(object)
                }
            }
        }
    }
}
#endif
