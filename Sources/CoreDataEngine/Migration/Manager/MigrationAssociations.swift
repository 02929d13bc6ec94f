import Foundation

/// Which destination objects came from which source objects, by mapping.
///
/// Only numbers are kept, so that objects can be released.
struct MigrationAssociations {
    /// An object's position in its store. Ordered by root entity and reference.
    struct Key: Hashable, Comparable {
        var reference: Int64
        var root: Int32
        var entity: Int32

        init(_ object: NSManagedObject) {
            root = Int32(object.layout.root.index)
            reference = object.reference
            entity = Int32(object.layout.index)
        }

        static func == (a: Key, b: Key) -> Bool { a.root == b.root && a.reference == b.reference }

        static func < (a: Key, b: Key) -> Bool { (a.root, a.reference) < (b.root, b.reference) }

        func hash(into hasher: inout Hasher) {
            hasher.combine(root)
            hasher.combine(reference)
        }
    }

    typealias Pair = (source: Key, destination: Key)

    /// Finds the positions of a key on one side of a list of pairs.
    ///
    /// Objects are read, and made, in the order of their keys, so that a key is searched for in the list. Only once a
    /// key came out of order are positions kept.
    private struct Side {
        private let key: @Sendable (Pair) -> Key
        /// The first position of each key; `nil` while the keys are in order.
        private var first: [Key: Int]?
        private var further: [Key: [Int]] = [:]

        init(_ key: @escaping @Sendable (Pair) -> Key) { self.key = key }

        var isOrdered: Bool { first == nil }

        /// To be called when a pair was added.
        mutating func didAppend(to pairs: [Pair]) {
            let last = pairs.count - 1
            if isOrdered {
                guard last > 0, key(pairs[last]) < key(pairs[last - 1]) else { return }
                first = [:]
                for position in 0..<last { record(position, key(pairs[position])) }
            }
            record(last, key(pairs[last]))
        }

        private mutating func record(_ position: Int, _ key: Key) {
            if first?[key] == nil { first?[key] = position } else { further[key, default: []].append(position) }
        }

        func positions(of wanted: Key, in pairs: [Pair]) -> [Int] {
            if let first { return first[wanted].map { [$0] + (further[wanted] ?? []) } ?? [] }
            var (low, high) = (0, pairs.count)
            while low < high {
                let middle = low + (high - low) / 2
                if key(pairs[middle]) < wanted { low = middle + 1 } else { high = middle }
            }
            return Array((low..<pairs.count).prefix { key(pairs[$0]) == wanted })
        }
    }

    /// What one mapping has made.
    struct OfMapping {
        /// In the order in which they were made; a destination object can be there more than once.
        private(set) var pairs: [Pair] = []
        private var sources = Side(\.source)
        private var destinations = Side(\.destination)

        mutating func add(_ source: Key, _ destination: Key) {
            pairs.append((source, destination))
            sources.didAppend(to: pairs)
            destinations.didAppend(to: pairs)
        }

        func destinations(of source: Key) -> [Key] {
            sources.positions(of: source, in: pairs).map { pairs[$0].destination }
        }

        func sources(of destination: Key) -> [Key] {
            destinations.positions(of: destination, in: pairs).map { pairs[$0].source }
        }

        /// Each destination object once, in the order in which they were made.
        var allDestinations: [Key] {
            if destinations.isOrdered {
                return pairs.indices.lazy
                    .filter { $0 == 0 || pairs[$0].destination != pairs[$0 - 1].destination }
                    .map { pairs[$0].destination }
            }
            var seen: Set<Key> = []
            return pairs.map(\.destination).filter { seen.insert($0).inserted }
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
