import EngineShims
import Foundation

/// What belongs to a thread.
enum ThreadValue {
    #if !PORTABLE
    /// One pointer for each thread. Who sets it keeps alive what it points to.
    static var pointer: UnsafeMutableRawPointer? {
        @inline(__always) get { engine_thread_value() }
        @inline(__always) set { engine_set_thread_value(newValue) }
    }

    /// A number that no other living thread has.
    @inline(__always)
    static var token: UInt { UInt(engine_thread_token()) }
    #else
    private static let key = "OpenCoreData.ThreadValue"

    static var pointer: UnsafeMutableRawPointer? {
        get {
            (Thread.current.threadDictionary[key] as? UInt).flatMap { UnsafeMutableRawPointer(bitPattern: $0) }
        }
        set { Thread.current.threadDictionary[key] = newValue.map { UInt(bitPattern: $0) } }
    }

    static var token: UInt { UInt(bitPattern: ObjectIdentifier(Thread.current)) }
    #endif
}
