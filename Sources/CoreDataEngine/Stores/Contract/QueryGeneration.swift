import Foundation
import Synchronization

/// The states of all stores of a coordinator that contexts with the same token read.
///
/// Lives as long as a context or a token has it.
final class QueryGeneration: Sendable {
    let identifier: UUID
    private let states: [ObjectIdentifier: any StoreGeneration]
    /// Kept, so that the identifiers in `states` are not used for other stores.
    private let storeIdentities: [StoreIdentity]

    private struct Reference {
        weak var generation: QueryGeneration?
    }

    private static let living = Mutex<[UUID: Reference]>([:])

    /// Pins the present states of the stores that can be pinned; `nil` when none can.
    static func pin(_ stores: [any RowStore]) throws -> QueryGeneration? {
        try make(stores) { try ($0 as? any GenerationalStore)?.pinGeneration() }
    }

    /// What is read for the length of a block, which keeps it.
    convenience init(held states: [(store: any RowStore, state: any StoreGeneration)]) {
        let known = states.map { (ObjectIdentifier($0.store.storeIdentity), $0.state) }
        // No token leads to it.
        self.init(Dictionary(known) { first, _ in first }, states.map(\.store.storeIdentity), Self.held)
    }

    /// The identifier of all that are held: to make one asks the system for random numbers.
    private static let held = UUID()

    /// The state of the stores' replicas; `nil` if they have no replicas.
    static func replicas(of stores: [any RowStore]) -> QueryGeneration? {
        make(stores) { ($0 as? any ServerStore)?.makeReplicaReading() }
    }

    private static func make(
        _ stores: [any RowStore], _ state: (any RowStore) throws -> (any StoreGeneration)?
    ) rethrows -> QueryGeneration? {
        var states: [ObjectIdentifier: any StoreGeneration] = [:]
        var storeIdentities: [StoreIdentity] = []
        for store in stores {
            guard let state = try state(store) else { continue }
            states[ObjectIdentifier(store.storeIdentity)] = state
            storeIdentities.append(store.storeIdentity)
        }
        return states.isEmpty ? nil : QueryGeneration(states, storeIdentities)
    }

    private init(
        _ states: [ObjectIdentifier: any StoreGeneration], _ storeIdentities: [StoreIdentity],
        _ identifier: UUID = UUID()
    ) {
        self.states = states
        self.storeIdentities = storeIdentities
        self.identifier = identifier
        guard identifier != Self.held else { return }
        Self.living.withLock { $0[identifier] = Reference(generation: self) }
    }

    deinit {
        guard identifier != Self.held else { return }
        _ = Self.living.withLock { $0.removeValue(forKey: identifier) }
    }

    /// The generation with an identifier, while anybody has it.
    static func living(_ identifier: UUID) -> QueryGeneration? {
        living.withLock { $0[identifier]?.generation }
    }

    /// The state of a store; `nil` for a store that is not part of the generation.
    func state(of store: NSPersistentStore) -> (any StoreGeneration)? { states[ObjectIdentifier(store.storeIdentity)] }

    /// Whether one of some stores can be read in this generation.
    func covers(_ stores: [any RowStore]) -> Bool {
        stores.contains { store in state(of: store).map { !$0.isOver } ?? false }
    }
}
