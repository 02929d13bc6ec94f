/// An object that is held weakly, and what identifies it without asking whether it lives.
///
/// Asking takes a reference: where it happens inside of a lock, the object may die there, and what it does at its end
/// may need that lock.
struct WeakReference<Object: AnyObject> {
    let identifier: ObjectIdentifier
    private(set) weak var object: Object?

    init(_ object: Object) {
        identifier = ObjectIdentifier(object)
        self.object = object
    }
}

extension WeakReference: Sendable where Object: Sendable {}
