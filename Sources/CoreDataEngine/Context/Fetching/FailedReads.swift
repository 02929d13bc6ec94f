import Foundation

/// What could not be read for callers that can't throw, who were shown no values, or no members, in its place.
///
/// What an application made of values that are not the object's must not reach a store. So the next fetch or save
/// throws each of these errors once, and saves go on failing for as long as something of it can't be read; after a
/// change that would have needed what could not be read, until the object is refreshed or the context rolled back or
/// reset.
struct FailedReads {
    /// What of an object could not be read, or not be done for that reason.
    enum Part {
        case row
        case toMany(RelationshipLayout)
        case fetchedProperty(NSFetchedPropertyDescription)
        /// A change to the property with a name.
        case change(String)
        /// What the delete rules do to others.
        case deletion
    }

    struct Failure {
        fileprivate(set) weak var object: NSManagedObject?
        let part: Part
        fileprivate let id: NSManagedObjectID
        let cause: any Error
        fileprivate let number: Int
        fileprivate var isReported = false
        fileprivate let key: Key

        /// The error that names object, property and cause.
        var error: CocoaError { error(cause) }

        /// As `error`, with what went wrong this time.
        func error(_ cause: any Error) -> CocoaError { part.error(id, object, cause) }
    }

    fileprivate struct Key: Hashable {
        let object: ObjectIdentifier
        let part: String

        init(_ object: NSManagedObject, _ part: Part) {
            self.object = ObjectIdentifier(object)
            self.part = part.key
        }
    }

    private var failures: [Key: Failure] = [:]
    /// What was not read for no object in particular, or for many, and not reported yet.
    private var general: (any Error)?
    /// The cause of the one that was recorded last.
    private(set) var latestCause: (any Error)?
    /// How many failures were recorded so far.
    private(set) var count = 0
    /// The number of entries above which those of released objects are dropped.
    private var limit = 64

    var isEmpty: Bool { failures.isEmpty && general == nil }

    /// Those of objects, the oldest first.
    var all: [Failure] { failures.values.sorted { $0.number < $1.number } }

    mutating func record(_ cause: any Error, _ part: Part, of object: NSManagedObject) {
        count += 1
        latestCause = cause
        let key = Key(object, part)
        failures[key] = Failure(
            object: object, part: part, id: object.objectID, cause: cause, number: count, key: key)
        guard failures.count >= limit else { return }
        failures = failures.filter { !$0.value.isReported || $0.value.object != nil }
        limit = max(64, failures.count * 2)
    }

    mutating func record(_ error: any Error) { general = error }

    /// What was recorded of an object.
    func failure(_ part: Part, of object: NSManagedObject) -> Failure? {
        guard !failures.isEmpty, let failure = failures[Key(object, part)], failure.object === object else {
            return nil
        }
        return failure
    }

    /// The oldest unreported error. All errors count as reported afterwards.
    mutating func takeUnreported() -> (any Error)? {
        let first = failures.values.filter { !$0.isReported }.min { $0.number < $1.number }
        for key in failures.keys { failures[key]?.isReported = true }
        defer { general = nil }
        return first?.error ?? general
    }

    mutating func forget(_ failure: Failure) { failures[failure.key] = nil }

    /// Forgets the failures of an object, which reads its values again. The effects of its deletion on other objects
    /// stay to be done.
    mutating func forget(_ object: NSManagedObject) {
        guard !failures.isEmpty else { return }
        let deletion = Key(object, .deletion)
        failures = failures.filter { $0.key.object != deletion.object || $0.key == deletion }
    }
}

extension FailedReads.Part {
    fileprivate var key: String {
        switch self {
        case .row: ""
        case .toMany(let relationship): relationship.name
        case .fetchedProperty(let property): property.name
        case .change(let key): "\(key) "
        case .deletion: " "
        }
    }

    private func sentence(_ id: NSManagedObjectID) -> String {
        let owner = "\(id.layout.name) \(id.uriRepresentation().absoluteString)"
        return switch self {
        case .row: "The values of \(owner) can't be read and appear as empty"
        case .toMany(let relationship):
            "The relationship '\(relationship.name)' of \(owner) can't be read and appears as empty"
        case .fetchedProperty(let property): "The fetched property '\(property.name)' of \(owner) can't be read"
        case .change(let key): "The property '\(key)' of \(owner) was changed while its stored value couldn't be read"
        case .deletion: "The delete rules of \(owner) can't be applied"
        }
    }

    private var advice: String {
        switch self {
        case .change:
            "It can't be saved until the object is refreshed, or the context is rolled back or reset; then make the "
                + "change again."
        default:
            "The context can't be saved until it can be read, or the object is refreshed, or the context is rolled back or "
                + "reset."
        }
    }

    fileprivate func error(_ id: NSManagedObjectID, _ object: NSManagedObject?, _ cause: any Error) -> CocoaError {
        let file = (cause as? CocoaError)?.userInfo[NSFilePathErrorKey] as? String
        return CoreDataError.make(
            (cause as? CocoaError)?.code.rawValue ?? NSPersistentStoreOperationError,
            "\(sentence(id)): \(Self.description(of: cause)) \(advice)", path: file, underlying: cause,
            userInfo: object.map { [NSAffectedObjectsErrorKey: [$0]] } ?? [:])
    }

    /// The sentence of an error, with a period.
    private static func description(of cause: any Error) -> String {
        let description = (cause as? CocoaError)?.userInfo[NSLocalizedDescriptionKey] as? String
        let string = description ?? "\(cause)"
        return string.hasSuffix(".") ? string : string + "."
    }
}
