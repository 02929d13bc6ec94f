import Foundation

/// Which destination objects came from which source objects, by mapping.
///
/// Only numbers are kept, so that objects can be let go of.
struct MigrationAssociations {
    /// An object's place in its store.
    struct Key: Hashable {
        var root: Int32
        var reference: Int64
        var entity: Int32

        init(_ object: NSManagedObject) {
            root = Int32(object.layout.root.index)
            reference = object.reference
            entity = Int32(object.layout.index)
        }

        static func == (a: Key, b: Key) -> Bool { a.root == b.root && a.reference == b.reference }

        func hash(into hasher: inout Hasher) {
            hasher.combine(root)
            hasher.combine(reference)
        }
    }

    /// What one mapping has made.
    struct OfMapping {
        /// In the order in which they were made; a destination object can be there more than once.
        private(set) var pairs: [(source: Key, destination: Key)] = []
        private var bySource: [Key: Int] = [:]
        private var furtherBySource: [Key: [Int]] = [:]
        private var byDestination: [Key: Int] = [:]
        private var furtherByDestination: [Key: [Int]] = [:]

        mutating func add(_ source: Key, _ destination: Key) {
            let place = pairs.count
            pairs.append((source, destination))
            if bySource[source] == nil {
                bySource[source] = place
            } else {
                furtherBySource[source, default: []].append(place)
            }
            if byDestination[destination] == nil {
                byDestination[destination] = place
            } else {
                furtherByDestination[destination, default: []].append(place)
            }
        }

        func destinations(of source: Key) -> [Key] {
            guard let first = bySource[source] else { return [] }
            return ([first] + (furtherBySource[source] ?? [])).map { pairs[$0].destination }
        }

        func sources(of destination: Key) -> [Key] {
            guard let first = byDestination[destination] else { return [] }
            return ([first] + (furtherByDestination[destination] ?? [])).map { pairs[$0].source }
        }
    }

    private(set) var byMapping: [String: OfMapping] = [:]

    mutating func add(source: NSManagedObject, destination: NSManagedObject, mapping: String) {
        byMapping[mapping, default: OfMapping()].add(Key(source), Key(destination))
    }

    subscript(mapping: String) -> OfMapping { byMapping[mapping] ?? OfMapping() }
}

extension NSManagedObjectContext {
    /// The object of a key, as a fault unless it is registered.
    func object(for key: MigrationAssociations.Key) -> NSManagedObject? {
        guard let layout, let store = persistentStoreCoordinator?.rowStores.first,
            Int(key.entity) < layout.entities.count
        else { return nil }
        return object(
            with: NSManagedObjectID(layout: layout.entities[Int(key.entity)], reference: key.reference, store: store))
    }
}
