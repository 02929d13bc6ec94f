import CoreDataPlatform

/// Values of properties, compared to find out what others have changed.
enum ComparedValue {
    /// Whether two values are the same; related objects are if their identifiers are.
    static func isSame(_ first: Any?, _ second: Any?) -> Bool {
        switch (present(first), present(second)) {
        case (nil, nil): true
        case (nil, _), (_, nil): false
        case (let first as NSManagedObject, let second as NSManagedObject): first.objectID == second.objectID
        case (let first as any FloatingPoint, let second as any FloatingPoint) where first.isNaN && second.isNaN: true
        case (let first as Date, let second as Date) where first.isNoNumber && second.isNoNumber: true
        case (let first as AnyHashable, let second as AnyHashable): first == second
        case (let first, let second): DatabaseError.described(first) == DatabaseError.described(second)
        }
    }

    private static func present(_ value: Any?) -> Any? {
        let value = OptionalValue.flatten(value)
        return value is NSNull ? nil : value
    }
}

extension Date {
    fileprivate var isNoNumber: Bool { timeIntervalSinceReferenceDate.isNaN }
}
