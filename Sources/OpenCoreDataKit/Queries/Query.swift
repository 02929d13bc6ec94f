/// What to fetch: a class, conditions, an order, a window.
///
/// A query is a value: each method gives a changed copy, and one query may be run in any number of contexts. Methods apply
/// in the order in which they are written; of two that set the same thing the later one counts, other than conditions,
/// all of which have to hold. Nothing is checked before the query is run.
///
/// ```swift
/// let adults = Query(Person.self).filter(#Predicate { $0.age >= 18 }).sorted(SortDescriptor(\.name)).limit(100)
/// let people = try context.all(adults)
/// ```
public struct Query<T: NSManagedObject> {
    /// The entity's name, for classes that stand for several entities or none.
    let entityName: String?
    private(set) var steps: [QueryStep] = []

    /// Starts a query for all objects of a class, its subentities included.
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

    /// The conditions so far, joined by AND; `nil` for none. What ``adjusted(_:)`` sets is not among them.
    public var predicate: NSPredicate? {
        var joined: NSPredicate?
        for case .filter(let condition) in steps { joined = joined.and(condition) }
        return joined
    }
}

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
    /// What was asked for can't be; running the query throws the reason.
    case impossible(String)
}

extension NSPredicate? {
    /// Both conditions, or the one there is.
    func and(_ other: NSPredicate) -> NSPredicate {
        map { NSCompoundPredicate(andPredicateWithSubpredicates: [$0, other]) } ?? other
    }
}
