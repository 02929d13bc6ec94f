import Synchronization

/// Which permanent identifiers objects got whose temporary ones may be in use elsewhere.
///
/// Only the last ones are kept, so that memory doesn't grow with the number of saves.
package final class HandedOutIdentifiers: Sendable {
    /// How many are kept.
    package static let limit = 16_384

    private struct Ring {
        var permanent: [Int64: NSManagedObjectID] = [:]
        /// The temporary references of all that are kept; the oldest is at `next` when there are as many as may be.
        var references: [Int64] = []
        var next = 0
    }

    private let ring = Mutex(Ring())

    package init() {}

    func record(_ temporary: Int64, _ permanent: NSManagedObjectID) {
        ring.withLock { ring in
            guard ring.permanent.updateValue(permanent, forKey: temporary) == nil else { return }
            guard ring.references.count == Self.limit else { return ring.references.append(temporary) }
            ring.permanent[ring.references[ring.next]] = nil
            ring.references[ring.next] = temporary
            ring.next = (ring.next + 1) % Self.limit
        }
    }

    func permanentID(of temporary: Int64) -> NSManagedObjectID? { ring.withLock { $0.permanent[temporary] } }
}

extension NSManagedObjectContext {
    /// The permanent identifier of an object that was saved after its temporary one was handed out; otherwise the identifier
    /// itself. Only where the coordinator keeps them.
    package final func savedID(_ id: NSManagedObjectID) -> NSManagedObjectID {
        guard id.isTemporaryID, identities.byReference[id.reference] == nil,
            registry.temporary.object(for: id.reference) == nil
        else { return id }
        return persistentStoreCoordinator?.handedOut?.permanentID(of: id.reference) ?? id
    }

    /// Notes that an object's temporary identifier, which others may have, is replaced.
    final func recordHandedOut(_ temporary: Int64, _ object: NSManagedObject, in store: NSPersistentStore) {
        guard temporary < 0, let handedOut = persistentStoreCoordinator?.handedOut else { return }
        handedOut.record(
            temporary, NSManagedObjectID(layout: object.layout, reference: object.reference, store: store))
    }
}
