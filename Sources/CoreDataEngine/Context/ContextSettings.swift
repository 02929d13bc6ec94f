import Foundation

/// What an application sets of a context, for the properties of `NSManagedObjectContext` with these names.
struct ContextSettings {
    var name: String?
    var transactionAuthor: String?
    var mergePolicy: Any = NSErrorMergePolicy
    var propagatesDeletesAtEndOfEvent = true
    var shouldDeleteInaccessibleFaults = true
    var stalenessInterval: TimeInterval = -1
    let userInfo = NSMutableDictionary()

    /// Makes everything as it was but for what the maker of the context has set: the name and the merge policy.
    mutating func reset() {
        transactionAuthor = nil
        propagatesDeletesAtEndOfEvent = true
        shouldDeleteInaccessibleFaults = true
        stalenessInterval = -1
        if userInfo.count > 0 { userInfo.removeAllObjects() }
    }
}

/// The objects that a context keeps alive because the application asked for it.
struct RetainedObjects {
    /// Whether registered objects stay alive without other references.
    private(set) var isOn = false
    private var objects: [NSManagedObject] = []

    mutating func append(_ object: NSManagedObject) { objects.append(object) }

    mutating func append(contentsOf others: some Sequence<NSManagedObject>) { objects.append(contentsOf: others) }

    /// Keeps these objects, and those that are appended, alive from now on.
    mutating func start(with registered: [NSManagedObject]) {
        isOn = true
        objects = registered
    }

    mutating func stop() {
        isOn = false
        objects = []
    }

    mutating func removeAll() { objects = [] }
}
