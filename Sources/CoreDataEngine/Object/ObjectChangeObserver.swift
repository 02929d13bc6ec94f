/// Notified of one object's changes by accessors, inverses, undoing and refreshing.
package final class ObjectChangeObserver {
    /// Called before each change with the name of the property that changes, or `nil` if any may.
    let objectWillChange: (String?) -> Void

    /// - Parameter objectWillChange: Called before each change with the name of the property that changes, or `nil` if any
    ///   may.
    package init(_ objectWillChange: @escaping (String?) -> Void) { self.objectWillChange = objectWillChange }
}

extension NSManagedObject {
    /// What is notified before each change of the object.
    package final var changeObserver: ObjectChangeObserver? {
        get { extras?.changeObserver }
        set { if newValue != nil || extras != nil { ensureExtras().changeObserver = newValue } }
    }
}
