#if CommandLineTool
import OpenCoreData
import StoreTools

/// Prints objects in one of the formats of `list`.
struct ObjectPrinter {
    let session: StoreSession
    let entity: NSEntityDescription
    /// The fields asked for; nil for all.
    let columns: [Field]?
    let format: ListFormat
    /// What stands in place of a table without rows; `nil` for its titles.
    var emptySentence: String?

    /// Calls its argument with each object.
    typealias Source = ((NSManagedObject) throws -> Void) throws -> Void

    /// The relationships that will be read.
    var prefetched: [String] {
        (columns ?? Field.all(of: entity)).compactMap { $0.prefetchedPath(namingDestinations: format == .table) }
    }

    func print(to output: OutputSink, _ source: Source) throws {
        switch format {
        case .table: try printTable(output, source)
        case .json: try printJSON(output, source)
        case .ndjson: try printLines(output, source)
        case .csv: try printCSV(output, source)
        }
    }

    private func printTable(_ output: OutputSink, _ source: Source) throws {
        let fields = columns ?? [.objectID] + Field.all(of: entity)
        var table = TextTable(
            columns: fields.map {
                .init(
                    $0.title, $0.isNumeric ? .right : .left, isWhole: $0.isWhole, rank: $0.rank,
                    isIdentifying: $0.isIdentifying)
            })
        try source { object in table.append(fields.map { $0.cell(of: object) }) }
        if table.rows.isEmpty, let emptySentence { return try output.writeWrapped(emptySentence) }
        if table.rows.count > TextTable.rowsOnScreen { output.startPager() }
        var left: [String] = []
        // Columns that were asked for stay, however narrow the terminal is.
        if columns == nil, let limit = output.columns { left = table.leaveOutColumns(fitting: limit) }
        for line in table.lines(fitting: output.columns) { try output.writeLine(line) }
        guard !left.isEmpty else { return }
        let note =
            "and \(StoreSession.listed(left)), for which the terminal is too narrow; use --fields to choose columns"
        for line in HangingText.lines("… ", note, fitting: output.columns) { try output.writeLine(line) }
    }

    private func printJSON(_ output: OutputSink, _ source: Source) throws {
        var list = JSONListWriter(output)
        var writers = ObjectWriters(session: session, columns: columns, naming: false)
        try source { object in try list.append { writers.writer(for: object).append(object, to: &$0) } }
        try list.finish()
        try output.write("\n")
    }

    private func printLines(_ output: OutputSink, _ source: Source) throws {
        var writers = ObjectWriters(session: session, columns: columns, naming: true)
        var bytes: [UInt8] = []
        try source { object in
            bytes.removeAll(keepingCapacity: true)
            writers.writer(for: object).append(object, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
            try output.write(bytes)
        }
    }

    private func printCSV(_ output: OutputSink, _ source: Source) throws {
        let fields = columns ?? [.objectID] + Field.all(of: entity)
        try output.write(lines: CSVText.record(fields.map(\.title)), end: CSVText.end)
        try source { object in
            try output.write(
                lines: CSVText.record(fields.map { $0.csv(of: object) }), end: CSVText.end)
        }
    }
}

/// Writers for objects of an entity and of those that inherit from it, each made once.
private struct ObjectWriters {
    let session: StoreSession
    let columns: [Field]?
    let naming: Bool
    private var last: (entity: NSEntityDescription, writer: ObjectWriter)?
    private var known: [String: ObjectWriter] = [:]

    init(session: StoreSession, columns: [Field]?, naming: Bool) {
        self.session = session
        self.columns = columns
        self.naming = naming
    }

    /// The writer of the object's identifier, and of the fields asked for or all that its own entity has.
    mutating func writer(for object: NSManagedObject) -> ObjectWriter {
        let entity = object.entity
        if let last, last.entity === entity { return last.writer }
        let fields = columns?.filter { $0.path != Field.objectID.path } ?? Field.all(of: entity)
        let writer =
            known[entity.displayName]
            ?? ObjectWriter(entity: entity, fields: [.objectID] + fields, in: session, naming: naming)
        known[entity.displayName] = writer
        last = (entity, writer)
        return writer
    }
}
#endif
