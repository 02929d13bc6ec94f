import Foundation
import OpenCoreData
import TestSupport

/// Adds a store on a server to a coordinator.
struct ServerLocation {
    let add: (NSPersistentStoreCoordinator) throws -> any RowStore
}

/// One random model with the same random objects in two stores: in memory, where predicates are evaluated on objects,
/// and in SQLite.
final class World {
    let model: NSManagedObjectModel
    let layout: ModelLayout
    let graph: RandomGraph
    let memory: any RowStore
    let sqlite: any RowStore
    /// The same on a server, where one was asked for.
    let server: (any RowStore)?
    /// What the SQLite store runs.
    let statements = RecordedStatements.makeDigest()
    private let folder: TemporaryFolder
    private let coordinators: [NSPersistentStoreCoordinator]

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameters:
    ///   - adjust: Changes the random model before it is used.
    ///   - location: Where a store on a server is made.
    init(
        seed: UInt64, server location: ServerLocation? = nil,
        adjust: (NSManagedObjectModel, inout RandomSource) -> Void = { _, _ in }
    ) throws {
        var random = RandomSource(seed: seed)
        model = RandomModel.make(&random)
        adjust(model, &random)
        folder = try TemporaryFolder()
        let (first, second) = (
            NSPersistentStoreCoordinator(managedObjectModel: model),
            NSPersistentStoreCoordinator(managedObjectModel: model)
        )
        let third = NSPersistentStoreCoordinator(managedObjectModel: model)
        coordinators = [first, second, third]
        let memory = try Self.add(NSInMemoryStoreType, to: first, at: folder.file("memory"), [:])
        let statements = statements
        let recorder: @Sendable (String) -> Void = { statements.note($0) }
        let sqlite = try Self.add(
            NSSQLiteStoreType, to: second, at: folder.file("world.sqlite"),
            [
                NSSQLitePragmasOption: ["synchronous": "OFF", "journal_mode": "MEMORY"] as [AnyHashable: Any],
                SQLiteStore.statementRecorderOption: recorder,
            ])
        self.memory = memory
        self.sqlite = sqlite
        let server = try location?.add(third)
        self.server = server
        layout = first.layout
        graph = try RandomGraph(layout: layout, random: &random) { count, root in
            let reference = try sqlite.allocateReferences(count: count, root: root)
            let other = try memory.allocateReferences(count: count, root: root)
            let third = try server?.allocateReferences(count: count, root: root) ?? reference
            guard reference == other, reference == third else {
                throw Failure(description: "Stores give out different numbers.")
            }
            return reference
        }
        for store in [memory, sqlite] + (server.map { [$0] } ?? []) {
            guard case .saved = try store.execute(graph.plan) else {
                throw Failure(description: "The objects could not be saved in \(store.type).")
            }
        }
    }

    private static func add(
        _ type: String, to coordinator: NSPersistentStoreCoordinator, at url: URL, _ options: [AnyHashable: Any]
    ) throws -> any RowStore {
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: options)
        guard let rows = store as? any RowStore else { throw Failure(description: "\(type) is no store of rows.") }
        return rows
    }

    /// Makes identifiers of one store's objects.
    func identifier(in store: any RowStore) -> (EntityLayout, Int64) -> NSManagedObjectID {
        { entity, reference in NSManagedObjectID(layout: entity, reference: reference, store: store) }
    }

    /// The entities and relationships, for a failing case.
    var outline: String {
        layout.entities.map { entity in
            let slots = entity.slots.compactMap { $0 }.filter { $0.kind != .toOne }.map { "\($0.name): \($0.kind)" }
            let relationships = entity.relationships.map { relationship in
                let arrow = relationship.isToMany ? (relationship.isOrdered ? "->>(ordered)" : "->>") : "->"
                return "\(relationship.name) \(arrow) \(relationship.destination.name)"
                    + (relationship.inverse.map { " (\($0.name))" } ?? "")
            }
            return "\(entity.name)\(entity.parent.map { " : \($0.name)" } ?? "") { "
                + (slots + relationships).joined(separator: ", ") + " }"
        }.joined(separator: "\n")
    }

    /// The values of an object, for a failing case.
    func description(of reference: Int64, _ entity: EntityLayout) -> String {
        guard let slab = try? memory.fetchRows(references: [reference], entity: entity.root, includesValues: true),
            slab.count == 1
        else { return "\(entity.name)/\(reference): missing" }
        let layout = layout.entities[slab.entityIndex(0)]
        let values = layout.slots.compactMap { $0 }.map {
            "\($0.name)=\((try? slab.value(0, $0)).map(Self.text) ?? "unreadable")"
        }
        return "\(layout.name)/\(reference): " + values.joined(separator: ", ")
    }

    /// A value as a text that is equal for equal values.
    static func text(of value: PropertyValue) -> String {
        switch value {
        case .null: "nil"
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .string(let text): "\"\(text)\"\(text.utf8.count)"
        case .data(let data): "<\(data.map { String($0, radix: 16) }.joined(separator: " "))>"
        case .uuid(let uuid): uuid.uuidString
        case .uri(let url): url.absoluteString
        case .decimal(let box): "\(box.value)"
        case .reference(let target): "@\(target.entityIndex)/\(target.reference)"
        case .object, .transformed: "?"
        }
    }
}
