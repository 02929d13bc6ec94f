import Foundation

/// A set over a list without duplicates that is only built when somebody looks into it.
///
/// Notifications carry these: a save of many objects costs no hashing when nobody listens.
final class ListedSet: NSSet {
    private let objects: ContiguousArray<NSManagedObject>
    private let transform: ((NSManagedObject) -> NSObject)?
    private lazy var built: Set<NSObject> = Set(objects.map { transform?($0) ?? $0 })

    // nonisolated(unsafe) because an empty set never changes.
    nonisolated(unsafe) private static let empty = ListedSet([])

    /// The set of a list; one for all lists that are empty.
    static func of(
        _ objects: ContiguousArray<NSManagedObject>, _ transform: ((NSManagedObject) -> NSObject)? = nil
    ) -> ListedSet {
        objects.isEmpty ? empty : ListedSet(objects, transform)
    }

    private init(_ objects: ContiguousArray<NSManagedObject>, _ transform: ((NSManagedObject) -> NSObject)? = nil) {
        self.objects = objects
        self.transform = transform
        super.init(objects: nil, count: 0)
    }

    required init?(coder: NSCoder) { nil }

    required override convenience init(objects: UnsafePointer<AnyObject>?, count: Int) {
        self.init(ContiguousArray((0..<count).compactMap { objects?[$0] as? NSManagedObject }))
    }

    override var count: Int { objects.count }

    override func member(_ object: Any) -> Any? {
        guard let object = object as? NSObject, built.contains(object) else { return nil }
        return object
    }

    override func objectEnumerator() -> NSEnumerator {
        ListEnumerator(objects: objects, transform: transform)
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    private final class ListEnumerator: NSEnumerator {
        private var iterator: ContiguousArray<NSManagedObject>.Iterator
        private let transform: ((NSManagedObject) -> NSObject)?

        init(objects: ContiguousArray<NSManagedObject>, transform: ((NSManagedObject) -> NSObject)?) {
            iterator = objects.makeIterator()
            self.transform = transform
        }

        override func nextObject() -> Any? {
            guard let object = iterator.next() else { return nil }
            return transform?(object) ?? object
        }
    }
}
