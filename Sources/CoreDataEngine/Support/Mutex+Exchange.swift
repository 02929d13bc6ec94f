// On Apple's platforms it is this package's own lock: see Mutex.swift in AppleCoreData.
#if !canImport(ObjectiveC)
package import Synchronization
#endif

extension Mutex where Value: Sendable {
    /// Puts another value in the place of the one that is there.
    ///
    /// For values that hold objects: what ends with the old one does so outside of the lock, and may come back to it.
    ///
    /// - Returns: The old value.
    @discardableResult
    package func exchange(_ newValue: Value) -> Value {
        withLock { value in
            defer { value = newValue }
            return value
        }
    }
}
