/// A description of the objects to fetch: their class, conditions, sort order and range.
///
/// A query is a value type. Each method returns a changed copy, and a query can be run in any number of contexts. All
/// conditions have to be true; if you set anything else twice, the later setting counts. Nothing is checked until the
/// query is run.
///
/// ```swift
/// let adults = Query(Person.self).filter(#Predicate { $0.age >= 18 }).sorted(SortDescriptor(\.name)).limit(100)
/// let people = try context.all(adults)
/// ```
public struct Query<T: NSManagedObject> {
    /// The entity's name, for classes that represent several entities or none.
    let entityName: String?
    private(set) var steps: [QueryStep] = []

    /// Starts a query for all objects of a class, its subentities included.
    ///
    /// Creating a query reads nothing and can't fail. Running it throws
    /// ``DatabaseError/unknownEntity(className:known:)`` or ``DatabaseError/ambiguousEntity(className:entities:)`` if
    /// the class doesn't have exactly one entity in the context's model and `entity` isn't given.
    ///
    /// - Parameters:
    ///   - type: The class. Its entity is found in the model of the context that runs the query.
    ///   - entity: The entity's name; needed where the class alone does not say it, such as `NSManagedObject`.
    public init(_ type: T.Type = T.self, entity: String? = nil) {
        entityName = entity
    }

    func adding(_ step: QueryStep) -> Self {
        var copy = self
        copy.steps.append(step)
        return copy
    }

    /// The conditions so far, joined by AND; `nil` for none. What ``adjusted(_:)`` and `after(_:)` set is not among them.
    public var predicate: NSPredicate? {
        var joined: NSPredicate?
        for case .filter(let condition) in steps { joined = joined.and(condition) }
        return joined
    }
}

// @unchecked Sendable because it is a value, whose conditions and descriptors are never changed; the closure of `adjusted` is
// documented to run on the queue of whichever context runs the query.
extension Query: @unchecked Sendable {}

/// One setting of a query.
enum QueryStep {
    case filter(NSPredicate)
    case order([NSSortDescriptor])
    case limit(Int)
    case offset(Int)
    case batch(Int)
    case prefetch([String])
    case fields([String])
    case exactEntity
    case storedOnly
    case asFaults
    case distinct
    case adjust((NSFetchRequestBase) -> Void)
    /// Only what comes after an object.
    case after(PageEnd)
    /// Locks the rows.
    case lock(RowLocking)
    /// An invalid setting; running the query throws the reason.
    case impossible(String)
}

extension NSPredicate? {
    /// Both conditions, or the one there is.
    func and(_ other: NSPredicate) -> NSPredicate {
        map { NSCompoundPredicate(andPredicateWithSubpredicates: [$0, other]) } ?? other
    }
}
