#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

/// `opencoredata sql`
struct SQLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql", abstract: "Runs an SQL statement that reads, with entities as tables.",
        discussion: """
            Each entity is a table with its attributes and to-one relationships as columns. objectID is the number in \
            Book/p12, and a to-one is the number of its destination. Dates are strings such as \
            2024-05-01T12:30:00.000Z. A many-to-many relationship is a table of its own, such as Book_tags, with \
            objectID and the number of the destination. An element of a composite attribute is a column such as \
            "address.city"; a value that is kept in an external file is NULL. Without a statement, the tables are listed in a terminal, and \
            otherwise the statement is read from standard input. Nothing can be changed.

            Example: sql Library.sqlite "SELECT strftime('%Y', published) AS year, count(*) FROM Book GROUP BY year"
            """)

    @OptionGroup var store: StoreArguments

    @Argument(help: "The statement.")
    var statement: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of rows to print.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Print all rows, also in a terminal.")
    var all = false

    @Option(help: "Output format: table, json, ndjson or csv.")
    var format: ListFormat = .table

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
        if all, limit != nil { throw ValidationError("--all and --limit can't be used together.") }
    }

    func run() throws {
        let address = try StoreAddress(existing: store.store)
        guard address.isSQLite else {
            throw ToolFailure(
                "sql reads SQLite stores; \(address.name) is \(address.kindName), of which copy makes one.")
        }
        let source = try ModelSource(storeURL: address.url, modelPath: store.model, reconstructs: true)
        let tables = try EntityTables(url: address.url, model: source.model)
        let output = OutputSink()
        guard let statement = try statement ?? Self.standardInput() else { return try list(tables, to: output) }
        let stops = format == .table && output.isTerminal && !all && limit == nil && !Pager.isChosen
        let most = stops ? TextTable.rowsOnScreen : limit ?? .max
        var (count, hasMore) = (0, false)
        let printer = RowPrinter(format: format, emptySentence: limit == 0 ? nil : "The result has no rows.")
        try printer.print(to: output) { titles, row in
            try tables.run(statement, titles: titles) { values in
                hasMore = count == most
                guard !hasMore else { return false }
                try row(values)
                count += 1
                return true
            }
        }
        if stops, hasMore {
            try output.writeWrapped(
                "… only the first \(count) rows. Use --all to see all, --limit N for as many as you like, or set PAGER."
            )
        }
        try output.finish()
    }

    /// - Returns: `nil` where a person would have to type it.
    private static func standardInput() throws -> String? {
        guard isatty(STDIN_FILENO) == 0 else { return nil }
        var bytes: [UInt8] = []
        while true {
            let piece = try SystemFile.readSome(STDIN_FILENO, upTo: 1 << 16) {}
            if piece.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece
        }
    }

    private func list(_ tables: EntityTables, to output: OutputSink) throws {
        for table in tables.tables {
            try output.writeWrapped("\(table.name)(\(table.columns.joined(separator: ", ")))")
        }
        try output.finish()
    }
}
#endif
