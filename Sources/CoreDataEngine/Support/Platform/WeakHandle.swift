/// What others keep in place of a weak reference to an object.
///
/// A `weak` variable gives its object a side table, with which each retain and release, anywhere, takes several times as
/// long. Contexts, coordinators, stores and models are retained in every setter and fetch, so they own a handle each, and
/// take their address out of it in their `deinit`.
// Sendable: the lock guards the address.
final class WeakHandle<Object: AnyObject>: Sendable {
    private let address = UnfairMutex<UInt>(0)

    /// The handle, which has the address of the object that owns it.
    func bound(to owner: Object) -> Self {
        address.withLock { address in
            guard address == 0 else { return }
            TryRetain.watch(owner)
            address = UInt(bitPattern: Unmanaged.passUnretained(owner).toOpaque())
        }
        return self
    }

    /// To be called in the owner's `deinit`.
    func clear(_ owner: Object) {
        address.withLock { address in
            if address != 0 { TryRetain.forget(owner) }
            address = 0
        }
    }

    /// Whether there is no object, now.
    var isCleared: Bool { address.withLock { $0 == 0 } }

    /// The object, unless it is being released, or was.
    var object: Object? {
        // The lock is the one that `clear` takes, so that the memory is the object's.
        let retained = address.withLock { address in
            UnsafeMutableRawPointer(bitPattern: address).flatMap { TryRetain.retained($0) }.map { UInt(bitPattern: $0) }
        }
        guard let retained, let pointer = UnsafeRawPointer(bitPattern: retained) else { return nil }
        return Unmanaged<Object>.fromOpaque(pointer).takeRetainedValue()
    }
}
