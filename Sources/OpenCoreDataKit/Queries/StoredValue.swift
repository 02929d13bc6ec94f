/// Values of attributes as applications get them, turned into the types that they ask for.
enum StoredValue {
    /// Converts a value to a type; `nil` if it has another type. Numbers are converted to any numeric type that holds
    /// them exactly.
    static func converted<V>(_ value: Any, to type: V.Type) -> V? {
        if let number = value as? NSNumber, let wanted = V.self as? any StoredNumber.Type {
            return wanted.init(stored: number) as? V
        }
        return value as? V
    }

    /// A value of a dictionary result; all of them are immutable.
    static func sendable(_ value: Any) -> (any Sendable)? {
        switch value {
        case let number as NSNumber: number
        case let string as String: string
        case let date as Date: date
        case let data as Data: data
        case let uuid as UUID: uuid
        case let url as URL: url
        case let id as NSManagedObjectID: id
        default: nil
        }
    }
}

/// Types of number that an `NSNumber` can be read as.
private protocol StoredNumber {
    /// The number; `nil` when the type can't hold it exactly.
    init?(stored number: NSNumber)
}

extension StoredNumber where Self: FixedWidthInteger {
    init?(stored number: NSNumber) {
        let whole = number.int64Value
        guard Double(whole) == number.doubleValue else { return nil }
        self.init(exactly: whole)
    }
}

extension Int: StoredNumber {}
extension Int8: StoredNumber {}
extension Int16: StoredNumber {}
extension Int32: StoredNumber {}
extension Int64: StoredNumber {}
extension UInt: StoredNumber {}
extension UInt8: StoredNumber {}
extension UInt16: StoredNumber {}
extension UInt32: StoredNumber {}
extension UInt64: StoredNumber {}

extension Double: StoredNumber {
    init?(stored number: NSNumber) { self = number.doubleValue }
}

extension Float: StoredNumber {
    init?(stored number: NSNumber) { self = Float(number.doubleValue) }
}

extension Bool: StoredNumber {
    init?(stored number: NSNumber) {
        guard number.doubleValue == 0 || number.doubleValue == 1 else { return nil }
        self = number.boolValue
    }
}

extension Decimal: StoredNumber {
    init?(stored number: NSNumber) { self = number.decimalValue }
}
