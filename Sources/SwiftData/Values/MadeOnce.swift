import Synchronization

/// An object that is made at the first use and kept for good, by whichever thread is first.
///
/// `AtomicLazyReference` looks up the metadata of its type at each load, which takes longer than what the object is for.
struct MadeOnce<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    private let address = Atomic<UInt>(0)

    /// The object, if it was made.
    @inline(__always)
    func load() -> Object? { loadUncounted()?.takeUnretainedValue() }

    /// The object, if it was made, without a reference that is counted.
    @inline(__always)
    func loadUncounted() -> Unmanaged<Object>? {
        UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)).map { .fromOpaque($0) }
    }

    /// Keeps an object unless there is one, and returns the one that is kept.
    func storeIfNil(_ object: Object) -> Object {
        let made = Unmanaged.passRetained(object)
        let (isStored, known) = address.compareExchange(
            expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing)
        if isStored { return object }
        made.release()
        guard let pointer = UnsafeRawPointer(bitPattern: known) else { return object }
        return Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
    }
}

/// An object that is used again instead of made: by one at a time, others make their own.
struct SpareObject<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    private let address = Atomic<UInt>(0)

    deinit { take()?.release() }

    /// The object with the reference to it, which is the caller's from now on; `nil` while it is in use.
    func take() -> Unmanaged<Object>? {
        UnsafeRawPointer(bitPattern: address.exchange(0, ordering: .acquiringAndReleasing)).map { .fromOpaque($0) }
    }

    /// Gives the object back with the reference to it, or one in its place.
    ///
    /// - Returns: Whether it is kept. It isn't if there is another one; the reference is still the caller's then.
    func give(_ object: Unmanaged<Object>) -> Bool {
        let (isStored, _) = address.compareExchange(
            expected: 0, desired: UInt(bitPattern: object.toOpaque()), ordering: .acquiringAndReleasing)
        return isStored
    }
}
