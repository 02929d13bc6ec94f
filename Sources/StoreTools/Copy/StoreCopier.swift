import Foundation
import OpenCoreData

/// Copies all objects of one store into another, which may be of another kind, and compares the two before it takes
/// effect.
///
/// In memory are two numbers for each object, and some thousand objects at a time.
package final class StoreCopier {
    /// What was copied.
    package struct Summary: Sendable {
        package struct Entity: Sendable {
            package let name: String
            package let objects: Int
            /// The checksum of the objects, the same in both stores.
            package let checksum: String
        }

        package let entities: [Entity]

        package var objects: Int { entities.reduce(0) { $0 + $1.objects } }
    }

    private let source: StoreSession
    private let target: StoreSession
    private let total: Int
    private let progress: ProgressHandler
    private var done = 0

    /// - Parameters:
    ///   - target: A session with the model of the other one.
    ///   - progress: Called with numbers of steps; an error of it ends the copying.
    package init(from source: StoreSession, to target: StoreSession, progress: @escaping ProgressHandler) throws {
        self.source = source
        self.target = target
        self.progress = progress
        let objects = try Self.objectCount(source)
        // Each is copied, and then read in both stores.
        total = max(1, objects * 3)
    }

    /// How many objects a store has.
    package static func objectCount(_ session: StoreSession) throws -> Int {
        try session.perform { context in
            try session.model.entities.filter { $0.superentity == nil }.reduce(0) { count, entity in
                try count + context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity.displayName))
            }
        }
    }

    /// Copies, inside of a block in which the saves of the target take effect together.
    ///
    /// - Throws: `ToolFailure` that names the first object that is not the same in both stores.
    package func run() throws -> Summary {
        guard let rows = source.store as? any RowStore, let destination = target.store as? any RowStore else {
            throw ToolFailure("The store \(source.name) can't be copied: its type doesn't support it.")
        }
        // Reads a single snapshot of the source, even if other processes save during the copy.
        guard let generation = try (rows as? any GenerationalStore)?.pinGeneration() else {
            return try copy(rows, destination) { try $0() }
        }
        return try copy(rows, destination) { body in try generation.reading(body) }
    }

    private func copy(
        _ rows: any RowStore, _ destination: any RowStore, _ reading: (() throws -> Void) throws -> Void
    ) throws -> Summary {
        let entities = source.model.entitiesInStoreOrder.compactMap(\.layout)
        var copy = StoreCopy(source: rows, destination: destination, entities: entities) { [self] count in
            try step(count)
        }
        var summary: [Summary.Entity] = []
        try reading {
            try copy.run()
            try copyMetadata(from: rows, to: destination)
            for entity in entities where !entity.entity.isAbstract {
                summary.append(try compare(entity, copy, rows, destination))
            }
        }
        return Summary(entities: summary)
    }

    private func step(_ count: Int) throws {
        done += count
        try progress(min(done, total), total)
    }

    /// The application's own keys go along; the store's keys are the new one's.
    private func copyMetadata(from old: any RowStore, to new: any RowStore) throws {
        var metadata = new.metadata ?? [:]
        let own = (old.metadata ?? [:]).filter {
            metadata[$0.key] == nil && !$0.key.hasPrefix("NS") && !$0.key.hasPrefix("_")
        }
        guard !own.isEmpty else { return }
        metadata.merge(own) { present, _ in present }
        new.metadata = metadata
        try new.saveMetadata()
    }

    // MARK: Comparing

    private func compare(
        _ entity: EntityLayout, _ copy: StoreCopy, _ rows: any RowStore, _ destination: any RowStore
    ) throws -> Summary.Entity {
        let old = references(of: entity, in: copy)
        let new = old.compactMap { copy.newReference(of: $0, root: entity.root) }
        let isOnServer = [source, target].contains { StoreAddress(url: $0.url).server != nil }
        let expected = StoreDigest(store: rows, entity: entity, roundsDates: isOnServer) {
            copy.newReference(of: $0, root: $1)
        }
        let found = StoreDigest(store: destination, entity: entity, roundsDates: isOnServer) { reference, _ in reference
        }
        let (one, other) = (try expected.sum(old, step), try found.sum(new, step))
        guard one == other else { throw try difference(entity, expected, old, found, new) }
        return Summary.Entity(name: entity.name, objects: old.count, checksum: one.description)
    }

    private func references(of entity: EntityLayout, in copy: StoreCopy) -> [Int64] {
        guard let slab = copy.identities(of: entity.root) else { return [] }
        return (0..<slab.count).filter { slab.entityIndex($0) == entity.index }.map { slab.reference($0) }
    }

    /// Looks for the first object that is not the same.
    private func difference(
        _ entity: EntityLayout, _ expected: StoreDigest, _ old: [Int64], _ found: StoreDigest, _ new: [Int64]
    ) throws -> ToolFailure {
        for start in stride(from: 0, to: old.count, by: StoreDigest.pieceSize) {
            let piece = start..<min(start + StoreDigest.pieceSize, old.count)
            let (left, right) = (try expected.objects(Array(old[piece])), try found.objects(Array(new[piece])))
            for (index, reference) in zip(piece, old[piece]) {
                guard let one = left[reference] else { continue }
                let other = right[new[index]] ?? [:]
                let different = one.keys.sorted().first { one[$0] != other[$0] }
                guard let name = different else { continue }
                return ToolFailure(
                    "\(name) of \(entity.name)/p\(reference) would not be the same in \(target.name) as in \(source.name): "
                        + "the target can't store its exact value.")
            }
        }
        return ToolFailure(
            "The objects of \(entity.name) would not be the same in \(target.name) as in \(source.name).")
    }
}
