import CoreDataEngine

/// What is wrong with values that were set, until a save throws it.
struct Refusals {
    private struct Key: Hashable {
        let object: ObjectIdentifier?
        let property: String?
        /// Tells those apart that belong to no object.
        let number: Int
    }

    private struct Refusal {
        let error: any Error
        let object: BackedObject?
        let number: Int

        /// Whether the object is to be saved.
        var holds: Bool { object.map { $0.managedObjectContext != nil && !$0.isDeleted } ?? true }
    }

    private var refusals: [Key: Refusal] = [:]
    private var count = 0

    /// The first one about something that is to be saved.
    var first: (any Error)? { refusals.values.filter(\.holds).min { $0.number < $1.number }?.error }

    /// Notes an error, unless there is one about the same property of the object.
    mutating func append(_ error: any Error, _ object: BackedObject?, _ property: String?) {
        count += 1
        let key = Key(object: object.map(ObjectIdentifier.init), property: property, number: object == nil ? count : 0)
        if refusals[key] == nil { refusals[key] = Refusal(error: error, object: object, number: count) }
    }

    /// Forgets the error about a property of an object.
    mutating func remove(_ object: BackedObject, _ property: String) {
        if refusals.isEmpty { return }
        refusals[Key(object: ObjectIdentifier(object), property: property, number: 0)] = nil
    }
}
