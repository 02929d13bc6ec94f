import EngineShims
import Synchronization

/// Returns a strong reference to an object of which only the address is known, unless it is already being released.
///
/// The caller holds the lock that the object's `deinit` takes before it returns, so that the memory is still the
/// object's. Linux's runtime has a function for it; elsewhere a table of weak references is used.
enum TryRetain {
    #if !PORTABLE && (os(Linux) || os(Android))
    /// To be called when the object is made.
    @inline(__always)
    static func watch(_ object: AnyObject) {}

    /// To be called in its `deinit`.
    @inline(__always)
    static func forget(_ object: AnyObject) {}

    /// The object with one more strong reference; nil when it is going.
    @inline(__always)
    static func retained(_ address: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        engine_try_retain(address)
    }
    #else
    // @unchecked Sendable because weak references may be read on any thread, and are written behind the mutex
    // alone.
    private struct Reference: @unchecked Sendable {
        weak var object: AnyObject?
    }

    private static let references = Mutex<[UInt: Reference]>([:])

    private static func address(_ object: AnyObject) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    static func watch(_ object: AnyObject) {
        let reference = Reference(object: object)
        let address = address(object)
        references.withLock { $0[address] = reference }
    }

    static func forget(_ object: AnyObject) {
        let address = address(object)
        _ = references.withLock { $0.removeValue(forKey: address) }
    }

    static func retained(_ address: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        guard let object = references.withLock({ $0[UInt(bitPattern: address)] })?.object else { return nil }
        return Unmanaged.passRetained(object).toOpaque()
    }
    #endif
}
