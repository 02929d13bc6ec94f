import Foundation
package import OpenCoreData

/// Writes the objects of a store, entity by entity and piece by piece.
package final class StoreExporter {
    private let session: StoreSession
    private let entities: [NSEntityDescription]
    private let output: any TextOutput
    private let progress: ProgressHandler
    private let total: Int
    private let predicate: NSPredicate?
    /// How many objects have been written.
    package private(set) var done = 0
    /// Whether a value was requested whose file could not be read.
    private var hasUnreadableValues = false

    /// - Parameters:
    ///   - entities: Entities of the model in use.
    ///   - predicate: Which objects; all if nil.
    ///   - progress: Called with numbers of objects; an error of it ends the export.
    package init(
        session: StoreSession, entities: [NSEntityDescription], where predicate: NSPredicate? = nil,
        output: any TextOutput,
        progress: @escaping ProgressHandler = { _, _ in }
    ) throws {
        self.session = session
        self.entities = entities
        self.output = output
        self.progress = progress
        self.predicate = predicate
        total = try session.perform { context in
            try entities.reduce(0) { try $0 + context.count(for: Self.request($1, predicate)) }
        }
    }

    /// The values whose external files are missing, as sentences. They are exported as null.
    ///
    /// - Throws: An error if values were exported as null although their files aren't missing, because another process
    ///   deleted their objects during the export.
    package func missingValues() throws -> [String] {
        let missing = try findMissingValues()
        if hasUnreadableValues, missing.isEmpty {
            throw ToolFailure(
                "\(StoreAddress(url: session.url).displayName) was changed by another process during the export, so values "
                    + "of objects that were deleted are missing. Export it again.")
        }
        return missing
    }

    private func findMissingValues() throws -> [String] {
        // Only SQLite stores have files for values.
        guard StoreAddress(url: session.url).isSQLite,
            session.model.entities.contains(where: { entity in
                entity.attributesByName.values.contains(where: \.allowsExternalBinaryDataStorage)
            })
        else { return [] }
        return try StoreChecker.externalDataFindings(inStoreAt: session.url, model: session.model)
            .filter { $0.row != nil }
            .map { "\($0.table ?? "") row \($0.row ?? 0): \($0.message)" }
    }

    /// `{"model": …, "modelArchive": "…", "entities": {"Name": [ … ]}}`
    package func writeJSON() throws {
        let model = session.source.model
        try output.write("{\"model\": \(JSONText.string(of: SchemaDocument(model: model).json)),\n")
        try output.write("\(try modelMember),\n\"entities\": {")
        for (index, entity) in entities.enumerated() {
            var name = index == 0 ? "\n" : ",\n"
            JSONText.appendQuoted(entity.displayName, to: &name)
            try output.write(name + ": ")
            var list = JSONListWriter(output)
            let writer = ObjectWriter(entity: entity, fields: Self.fields(of: entity), in: session)
            try forEachObject(of: entity) { object in try list.append { writer.append(object, to: &$0) } }
            try list.finish()
        }
        try output.write("}}\n")
    }

    private var modelMember: String {
        get throws {
            let model = session.source.model
            let archive = try model.encodedModelCache().base64EncodedString()
            let member = "\"\(ImportInput.modelKey)\": \"\(archive)\""
            // A model that was worked out from the tables isn't the one that the store has the hashes of.
            if case .tables = session.source.origin { return member }
            // Those of the store, which are not always what is computed from its model.
            let hashes = model.entityVersionHashesByName.sorted { $0.key < $1.key }
                .map { JSONMember(key: $0.key, value: .string($0.value.base64EncodedString())) }
            return "\(member), \"\(ImportInput.hashesKey)\": \(JSONText.string(of: .object(hashes)))"
        }
    }

    /// One object on each line, which names its entity first.
    ///
    /// - Parameter withModel: Whether the first line is the model, so that a new store can be made of the lines.
    package func writeLines(withModel: Bool) throws {
        if withModel { try output.write("{\(try modelMember)}\n") }
        var bytes: [UInt8] = []
        for entity in entities {
            let writer = ObjectWriter(entity: entity, fields: Self.fields(of: entity), in: session, naming: true)
            try forEachObject(of: entity) { object in
                bytes.removeAll(keepingCapacity: true)
                writer.append(object, to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
                try output.write(bytes)
            }
        }
    }

    package func writeCSV() throws {
        for entity in entities {
            let fields = Self.fields(of: entity)
            try output.write(lines: CSVText.record(fields.map(\.title)), end: CSVText.end)
            try forEachObject(of: entity) { object in
                try output.write(
                    lines: CSVText.record(fields.map { $0.csv(of: object) }), end: CSVText.end)
            }
        }
    }

    private static func fields(of entity: NSEntityDescription) -> [Field] { [.objectID] + Field.all(of: entity) }

    private func forEachObject(
        of entity: NSEntityDescription, _ body: (NSManagedObject) throws -> Void
    ) throws {
        let stream = ObjectStream(
            request(entity),
            prefetching: Field.all(of: entity).compactMap {
                $0.prefetchedPath(namingDestinations: false)
            })
        try session.perform { context in
            try stream.forEach(in: context) { object in
                try body(object)
                if context.unreadableReads > 0 { self.hasUnreadableValues = true }
                self.done += 1
                if self.done % 64 == 0 { try self.progress(self.done, self.total) }
            }
        }
        try progress(done, total)
    }

    private func request(_ entity: NSEntityDescription) -> NSFetchRequest<NSManagedObject> {
        Self.request(entity, predicate)
    }

    /// The objects of the entity itself; those of its subentities are exported under their own names.
    private static func request(
        _ entity: NSEntityDescription, _ predicate: NSPredicate?
    ) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.displayName)
        request.includesSubentities = false
        request.predicate = predicate
        return request
    }
}
