import Foundation
import OpenCoreData

/// What `info` says about a store.
package struct StoreInfo {
    package struct EntityRow {
        package var name: String
        package var parent: String?
        package var isAbstract: Bool
        /// Objects of the entity itself.
        package var rows: Int
        /// Objects of the entity and its subentities.
        package var rowsWithSubentities: Int
    }

    /// The path of a file; of a store on a server its URL, without what could be secret.
    package let path: String
    /// What to call a store of its kind.
    package let kind: String
    package let size: Int
    /// The server's name and version; nil for a file.
    package let server: String?
    package let uuid: String
    package let frameworkVersion: Int?
    package let versionIdentifiers: [String]
    package let source: ModelSource
    package let entities: [EntityRow]
    package let features: [String]

    package init(_ session: StoreSession) throws {
        let address = StoreAddress(url: session.url)
        let metadata = session.store.metadata ?? [:]
        path = address.displayName
        kind = address.kindName
        uuid = session.store.identifier ?? ""
        frameworkVersion = (metadata["NSPersistenceFrameworkVersion"] as? NSNumber)?.intValue
        versionIdentifiers = Self.strings(metadata[NSStoreModelVersionIdentifiersKey]).filter { !$0.isEmpty }
        source = session.source
        if let remote = address.server {
            let facts = try remote.facts(ofStoreAt: session.url, options: nil)
            size = Int(facts.size)
            server = facts.server
            features = Self.features(of: session.model, [("persistent history", facts.hasHistory)])
        } else if !address.isSQLite {
            let attributes = try FileManager.default.attributesOfItem(atPath: session.url.path)
            size = (attributes[.size] as? NSNumber)?.intValue ?? 0
            server = nil
            features = Self.features(of: session.model, [])
        } else {
            let file = try StoreFacts(url: session.url)
            size = file.sizeOnDisk
            server = nil
            features = Self.features(
                of: session.model,
                [
                    ("write-ahead log", file.isWriteAhead), ("persistent history", file.hasHistory),
                    ("cloud mirroring", file.has("table", prefix: "ANSCK")),
                    ("R-tree indexes", file.has("table", prefix: "Z_RT_")),
                ])
        }
        entities = try session.perform { context in
            try session.model.sortedEntities.map { entity in
                EntityRow(
                    name: entity.displayName, parent: entity.superentity?.name, isAbstract: entity.isAbstract,
                    rows: try Self.count(entity, includingSubentities: false, in: context),
                    rowsWithSubentities: try Self.count(entity, includingSubentities: true, in: context))
            }
        }
    }

    package var json: JSONValue {
        [
            "path": .string(path),
            "size": JSONValue(size),
            "server": JSONValue(server),
            "uuid": .string(uuid),
            "frameworkVersion": frameworkVersion.map { JSONValue($0) } ?? .null,
            "modelVersionIdentifiers": JSONValue(versionIdentifiers),
            "model": source.json,
            "features": JSONValue(features),
            "entities": .array(
                entities.map {
                    [
                        "name": .string($0.name), "parent": JSONValue($0.parent), "abstract": .bool($0.isAbstract),
                        "rows": JSONValue($0.rows), "rowsWithSubentities": JSONValue($0.rowsWithSubentities),
                    ]
                }),
        ]
    }

    /// The facts as lines for people.
    ///
    /// - Parameter limit: The columns of the terminal; nil for as many as it takes.
    package func lines(fitting limit: Int?) -> [String] {
        var table = TextTable(columns: [
            .init("ENTITY", rank: 3), .init("PARENT"), .init("ABSTRACT"), .init("ROWS", .right, rank: 2),
            .init("WITH SUBENTITIES", .right, rank: 1),
        ])
        for entity in entities {
            table.append([
                entity.name, entity.parent ?? "–", entity.isAbstract ? "yes" : "no", String(entity.rows),
                entity.rows == entity.rowsWithSubentities ? "" : String(entity.rowsWithSubentities),
            ])
        }
        if let limit { _ = table.leaveOutColumns(fitting: limit) }
        let identifiers = versionIdentifiers.isEmpty ? "none" : versionIdentifiers.joined(separator: ", ")
        let facts = [
            ("Store", path), ("Kind", kind == "a SQLite store" || server != nil ? "" : kind), ("Server", server ?? ""),
            (server == nil ? "Size on disk" : "Size", Self.sizeText(size)),
            ("UUID", uuid),
            ("Framework version", frameworkVersion.map(String.init) ?? "unknown"), ("Model versions", identifiers),
            ("Model from", source.description),
            ("Features", features.isEmpty ? "none" : features.joined(separator: ", ")),
        ]
        return facts.filter { !$0.1.isEmpty }.flatMap { title, string in
            HangingText.lines(title.padding(toLength: 19, withPad: " ", startingAt: 0), string, fitting: limit)
        } + [""] + table.lines(fitting: limit)
    }

    /// A number of bytes for people.
    package static func sizeText(_ size: Int) -> String {
        var value = Double(size)
        for unit in ["bytes", "KB", "MB", "GB"] {
            if value < 1_024 || unit == "GB" {
                return unit == "bytes" ? "\(size) bytes" : "\(String(format: "%.1f", value)) \(unit)"
            }
            value /= 1_024
        }
        return "\(size) bytes"
    }

    private static func count(
        _ entity: NSEntityDescription, includingSubentities: Bool, in context: NSManagedObjectContext
    ) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.displayName)
        request.includesSubentities = includingSubentities
        return try context.count(for: request)
    }

    private static func strings(_ value: Any?) -> [String] {
        if let array = value as? [Any] { return array.map { "\($0)" } }
        if let set = value as? Set<AnyHashable> { return set.map { "\($0)" }.sorted() }
        return []
    }

    /// - Parameter found: What the store itself says.
    private static func features(of model: NSManagedObjectModel, _ found: [(String, Bool)]) -> [String] {
        let attributes = model.entities.flatMap { $0.attributesByName.values }
        let relationships = model.entities.flatMap { $0.relationshipsByName.values }
        let all: [(String, Bool)] = [
            ("inheritance", model.entities.contains { $0.superentity != nil }),
            ("ordered relationships", relationships.contains(where: \.isOrdered)),
            (
                "many-to-many relationships",
                relationships.contains { $0.isToMany && $0.inverseRelationship?.isToMany == true }
            ),
            ("derived attributes", attributes.contains { $0 is NSDerivedAttributeDescription }),
            ("transformable attributes", attributes.contains { $0.attributeType == .transformableAttributeType }),
            ("composite attributes", attributes.contains { $0.attributeType == .compositeAttributeType }),
            ("external binary data", attributes.contains(where: \.allowsExternalBinaryDataStorage)),
            ("uniqueness constraints", model.entities.contains { !$0.uniquenessConstraints.isEmpty }),
            ("fetch indexes", model.entities.contains { !$0.indexes.isEmpty }),
            ("configurations", !model.configurations.isEmpty),
        ]
        return (found + all).filter(\.1).map(\.0)
    }
}
