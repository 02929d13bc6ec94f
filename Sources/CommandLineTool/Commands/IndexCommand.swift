#if CommandLineTool
import ArgumentParser
import StoreTools

#if PostgreSQL
import OpenCoreDataPostgreSQL
#endif

/// `opencoredata index`
struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Makes an index for searches in the strings of a PostgreSQL store.",
        discussion: """
            The index is for CONTAINS, BEGINSWITH, ENDSWITH and == with the options c and d, and with --localized for \
            sorting by localizedStandardCompare:, and with --words for full text search by matchesText:. Programs can write \
            while it is made, and use it after they open the \
            store again.

            Example: index postgresql://host/library Book.title
            """)

    @Argument(help: "The store: postgresql://user@host/database?schema=name.")
    var url: String

    @Argument(help: ArgumentHelp("A string attribute.", valueName: "entity.attribute"))
    var attribute: String

    @Flag(help: "Make an index for sorting in the order of the current language.")
    var localized = false

    @Option(
        help: ArgumentHelp(
            "Make an index for full text search, with a configuration such as english.", valueName: "configuration"))
    var words: String?

    @Flag(help: "Remove the index.")
    var remove = false

    func validate() throws {
        if localized, words != nil { throw ValidationError("Give --localized or --words, not both.") }
        if names == nil { throw ValidationError("Name an attribute as in Book.title, not \(attribute).") }
    }

    private var names: (entity: String, attribute: String)? {
        let parts = attribute.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts.contains("") else { return nil }
        return (parts[0], parts[1])
    }

    func run() throws {
        guard StoreAddress.isServer(url) else {
            throw ToolFailure("\(url) isn't the URL of a PostgreSQL store; use postgresql://user@host/database.")
        }
        let address = try StoreAddress(url)
        guard let names else { return }
        #if PostgreSQL
        let index: PostgreSQLStore.TextIndex =
            words.map { .words(configuration: $0) } ?? (localized ? .localizedOrder : .search)
        let change = remove ? PostgreSQLStore.removeTextIndex(_:of:in:at:) : PostgreSQLStore.makeTextIndex(_:of:in:at:)
        try change(index, names.attribute, names.entity, address.url)
        #else
        // There is no such address without the trait.
        _ = (address, names)
        #endif
        let printed = OutputSink()
        let kind =
            words != nil
            ? "an index of the words of" : localized ? "an index for the order of" : "an index for searches in"
        try printed.writeLine("\(address.name) has \(remove ? "no longer " : "")\(kind) \(attribute).")
        try printed.finish()
    }
}
#endif
