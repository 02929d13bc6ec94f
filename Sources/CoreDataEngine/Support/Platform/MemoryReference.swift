import EngineShims

/// A reference that does not keep its object alive, to an object whose class can't have a `WeakHandle`.
///
/// A `weak` variable gives its object a side table, an allocation, with which each retain and release takes several times
/// as long. This one keeps the object's memory, so that an object that ends on another thread can be asked whether it
/// has. It is set and read on one thread at a time.
package struct MemoryReference: ~Copyable {
    #if !PORTABLE && (os(Linux) || os(Android))
    private var address: UnsafeMutableRawPointer?

    package init() {}

    deinit { if let address { engine_release_memory(address) } }

    /// Whether there was never an object, or it was taken away.
    package var isEmpty: Bool { address == nil }

    /// The object; `nil` when it is ending, or has.
    package var object: AnyObject? {
        guard let address, let retained = engine_try_retain(address) else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(retained).takeRetainedValue()
    }

    package mutating func set(_ object: AnyObject?) {
        let former = address
        address = object.map { Unmanaged.passUnretained($0).toOpaque() }
        if let address { engine_keep_memory(address) }
        if let former { engine_release_memory(former) }
    }
    #else
    private weak var reference: AnyObject?
    private var isSet = false

    package init() {}

    /// Whether there was never an object, or it was taken away.
    package var isEmpty: Bool { !isSet }

    /// The object; `nil` when it is ending, or has.
    package var object: AnyObject? { reference }

    package mutating func set(_ object: AnyObject?) {
        reference = object
        isSet = object != nil
    }
    #endif
}
