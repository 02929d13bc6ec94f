public import CoreDataPlatform
import Foundation

extension NSFetchRequestResult where Self: NSManagedObject {
    /// The values of one property of this object: the current one at once, then each new one.
    ///
    /// Values are reported when the context announces that the object changed: by an assignment, once pending changes
    /// are processed, by a merge, by a refresh. A value equal to the one before is not reported again. The stream ends
    /// when the object is deleted, or its context is reset or goes.
    ///
    /// Call this on the context's queue. Values that are managed objects are to be used there too.
    ///
    /// - Parameter keyPath: The property. What a longer key path leads to is read again when *this* object changes.
    public func values<Value: Equatable>(for keyPath: KeyPath<Self, Value>) -> AsyncStream<Value> {
        ObjectValues.stream(of: self, isSame: ==) { $0[keyPath: keyPath] }
    }

    /// The values of one property of this object: the current one at once, then one each time that the object changes.
    ///
    /// The compiler chooses this overload if the type of the property isn't `Equatable`. Values can't be compared then,
    /// so a change of any other property of the object reports the value again. The stream ends when the object is
    /// deleted, or its context is reset or released. Call this on the context's queue.
    ///
    /// - Parameter keyPath: The property.
    /// - Returns: A stream whose first element is the current value.
    public func values<Value>(for keyPath: KeyPath<Self, Value>) -> AsyncStream<Value> {
        ObjectValues.stream(of: self, isSame: { _, _ in false }, read: { $0[keyPath: keyPath] })
    }
}

/// Follows what is read from one object.
package enum ObjectValues {
    /// What is read from an object now, and each time that it changes.
    ///
    /// - Parameters:
    ///   - object: The object. The stream keeps it, so that it stays in its context.
    ///   - concerns: Whether a change that is not about the object may change what is read.
    ///   - isSame: Whether a value is no news after another.
    ///   - read: Reads the value, on the context's queue.
    package static func stream<Object: NSManagedObject, Value>(
        of object: Object, concerns: ((ContextWatch.Changes) -> Bool)? = nil,
        isSame: @escaping (Value, Value) -> Bool, read: @escaping (Object) -> Value
    ) -> AsyncStream<Value> {
        let broadcast = Broadcast<Value>()
        let first = read(object)
        let stream = broadcast.stream(first: first)
        let token = follow(object, concerns: concerns, from: first, isSame: isSame, read: read) { value in
            if let value { broadcast.send(value) } else { broadcast.finish() }
        }
        if let token { broadcast.keepUntilIdle(token) } else { broadcast.finish() }
        return stream
    }

    /// Is notified of what is read from an object each time that it changes, at that moment and on the context's queue.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - concerns: Whether a change that is not about the object may change what is read.
    ///   - first: What is known already.
    ///   - isSame: Whether a value is no news after another.
    ///   - read: Reads the value.
    ///   - handle: Called with each new value; with `nil`, once, when there will be no more.
    /// - Returns: What ends hearing; `nil` if the object is in no context, and then `handle` is not called.
    package static func follow<Object: NSManagedObject, Value>(
        _ object: Object, concerns: ((ContextWatch.Changes) -> Bool)? = nil, from first: Value,
        isSame: @escaping (Value, Value) -> Bool, read: @escaping (Object) -> Value,
        handle: @escaping (Value?) -> Void
    ) -> ContextWatch.Token? {
        guard let context = object.managedObjectContext else { return nil }
        var last = first
        var isOver = false
        func end() {
            if !isOver { handle(nil) }
            isOver = true
        }
        return ContextWatch.of(context).add(
            { event in
                guard !isOver else { return }
                guard case .changed(let changes) = event else {
                    if case .reset = event { end() }
                    return
                }
                if changes.deleted.contains(object) || object.managedObjectContext == nil { return end() }
                let isConcerned =
                    changes.updated.contains(object) || changes.refreshed.contains(object)
                    || changes.inserted.contains(object) || concerns?(changes) == true
                guard isConcerned else { return }
                let value = read(object)
                guard !isSame(last, value) else { return }
                last = value
                handle(value)
            }, end: end)
    }
}
