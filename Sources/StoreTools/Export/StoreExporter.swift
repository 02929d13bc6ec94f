import Foundation
package import OpenCoreData

/// Writes the objects of a store, entity by entity and piece by piece.
package final class StoreExporter {
    private let session: StoreSession
    private let entities: [NSEntityDescription]
    private let output: any TextOutput
    private let progress: ProgressHandler
    private let total: Int
    private var done = 0
    /// Whether a value was asked for whose file could not be read.
    private var hasUnreadableValues = false

    /// - Parameter progress: Called with numbers of objects; an error of it ends the export.
    package init(
        session: StoreSession, entities: [NSEntityDescription], output: any TextOutput,
        progress: @escaping ProgressHandler = { _, _ in }
    ) throws {
        self.session = session
        self.entities = entities
        self.output = output
        self.progress = progress
        total = try session.perform { context in
            try entities.reduce(0) { try $0 + context.count(for: Self.request($1)) }
        }
    }

    /// Values that are in files of their own which are missing, as sentences. They are exported as nothing.
    ///
    /// - Throws: When values were exported as nothing whose files are not missing: somebody else removed their objects
    ///   meanwhile.
    package func missingValues() throws -> [String] {
        let missing = try findMissingValues()
        if hasUnreadableValues, missing.isEmpty {
            throw ToolFailure(
                "\(session.url.path) was changed by another process while it was exported, so that values of objects that "
                    + "were deleted are missing from the export. Export it again.")
        }
        return missing
    }

    private func findMissingValues() throws -> [String] {
        guard
            session.model.entities.contains(where: { entity in
                entity.attributesByName.values.contains(where: \.allowsExternalBinaryDataStorage)
            })
        else { return [] }
        return try StoreChecker.externalDataFindings(inStoreAt: session.url, model: session.model)
            .filter { $0.row != nil }
            .map { "\($0.table ?? "") row \($0.row ?? 0): \($0.message)" }
    }

    /// `{"model": …, "entities": {"Name": [ … ]}}`
    package func writeJSON() throws {
        try output.write(
            "{\"model\": \(JSONText.text(of: SchemaDocument(model: session.model).json)),\n\"entities\": {")
        for (index, entity) in entities.enumerated() {
            var name = index == 0 ? "\n" : ",\n"
            JSONText.appendQuoted(entity.displayName, to: &name)
            try output.write(name + ": ")
            var list = JSONListWriter(output)
            let fields = [.objectID] + Field.all(of: entity)
            try forEachObject(of: entity) { object in
                try list.append(.object(fields.map { JSONMember(key: $0.title, value: $0.value(of: object)) }))
            }
            try list.finish()
        }
        try output.write("}}\n")
    }

    package func writeCSV() throws {
        for entity in entities {
            let fields = [.objectID] + Field.all(of: entity)
            try output.write(lines: CSVText.record(fields.map(\.title)), end: CSVText.end)
            try forEachObject(of: entity) { object in
                try output.write(
                    lines: CSVText.record(fields.map { ValueText.csv($0.value(of: object)) }), end: CSVText.end)
            }
        }
    }

    private func forEachObject(
        of entity: NSEntityDescription, _ body: (NSManagedObject) throws -> Void
    ) throws {
        let stream = ObjectStream(
            Self.request(entity), prefetching: Field.all(of: entity).compactMap(\.relationshipPath))
        try session.perform { context in
            try stream.forEach(in: context) { object in
                try body(object)
                if context.unreadableReads > 0 { self.hasUnreadableValues = true }
                self.done += 1
                try self.progress(self.done, self.total)
            }
        }
    }

    /// The objects of the entity itself; those of its subentities are exported under their own names.
    private static func request(_ entity: NSEntityDescription) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.displayName)
        request.includesSubentities = false
        return request
    }
}
