#if CommandLineTool
    import OpenCoreData
    import StoreTools

    /// Prints objects in one of the formats of `list`.
    struct ObjectPrinter {
        let entity: NSEntityDescription
        /// The fields asked for; nil for all.
        let columns: [Field]?
        let format: ListFormat

        /// Calls its argument with each object.
        typealias Source = ((NSManagedObject) throws -> Void) throws -> Void

        /// The relationships that will be read.
        var prefetched: [String] {
            (columns ?? Field.all(of: entity)).compactMap(\.relationshipPath)
        }

        func print(to output: OutputSink, _ source: Source) throws {
            switch format {
            case .table: try printTable(output, source)
            case .json: try printJSON(output, source)
            case .csv: try printCSV(output, source)
            }
        }

        private func printTable(_ output: OutputSink, _ source: Source) throws {
            let fields = columns ?? [.objectID] + Field.all(of: entity)
            var table = TextTable(columns: fields.map { .init($0.title, $0.isNumeric ? .right : .left) })
            try source { object in table.append(fields.map { ValueText.cell($0.value(of: object)) }) }
            for line in table.lines { try output.writeLine(line) }
        }

        private func printJSON(_ output: OutputSink, _ source: Source) throws {
            var list = JSONListWriter(output)
            try source { object in try list.append(json(of: object)) }
            try list.finish()
            try output.write("\n")
        }

        private func printCSV(_ output: OutputSink, _ source: Source) throws {
            let fields = columns ?? [.objectID] + Field.all(of: entity)
            try output.write(lines: CSVText.record(fields.map(\.title)), end: CSVText.end)
            try source { object in
                try output.write(
                    lines: CSVText.record(fields.map { ValueText.csv($0.value(of: object)) }), end: CSVText.end)
            }
        }

        /// The object with its identifier, and the fields asked for or all that its own entity has.
        private func json(of object: NSManagedObject) -> JSONValue {
            let fields = columns?.filter { $0.path != Field.objectID.path } ?? Field.all(of: object.entity)
            return .object(
                ([Field.objectID] + fields).map { JSONMember(key: $0.title, value: $0.value(of: object)) })
        }
    }
#endif
