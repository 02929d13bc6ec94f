/// Values of attributes as applications get them, turned into the types that they ask for.
enum StoredValue {
    /// Converts a value to a type; `nil` if it has another type. Numbers are converted to any numeric type that holds
    /// them exactly; fractions to a type that writes them with the same digits, such as 0.1 to a `Double` or `Float`.
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
        switch number.kind {
        case .decimal(let decimal): self.init("\(decimal)")
        case .real(let real): self.init(exactly: real)
        case .whole(let whole): self.init(exactly: whole)
        }
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
    init?(stored number: NSNumber) {
        switch number.kind {
        case .decimal(let decimal):
            let nearest = number.doubleValue
            guard decimal.isNaN || Decimal(string: "\(nearest)") == decimal else { return nil }
            self = nearest
        case .real(let real): self = real
        case .whole(let whole): self.init(exactly: whole)
        }
    }
}

extension Float: StoredNumber {
    init?(stored number: NSNumber) {
        if case .whole(let whole) = number.kind {
            self.init(exactly: whole)
        } else {
            guard let double = Double(stored: number) else { return nil }
            let nearest = Float(double)
            guard double.isNaN || Double(nearest) == double || "\(nearest)" == "\(double)" else { return nil }
            self = nearest
        }
    }
}

extension Bool: StoredNumber {
    init?(stored number: NSNumber) {
        guard number.doubleValue == 0 || number.doubleValue == 1 else { return nil }
        self = number.boolValue
    }
}

extension Decimal: StoredNumber {
    init?(stored number: NSNumber) {
        switch number.kind {
        case .decimal(let decimal): self = decimal
        case .real(let real):
            guard let decimal = Decimal(string: "\(real)") else { return nil }
            self = decimal
        case .whole(let whole): self.init(whole)
        }
    }
}

extension NSNumber {
    fileprivate enum Kind {
        case decimal(Decimal)
        case real(Double)
        case whole(Int64)
    }

    /// What the number was made of.
    fileprivate var kind: Kind {
        if let number = self as? NSDecimalNumber { return .decimal(number.decimalValue) }
        let type = UInt8(bitPattern: objCType.pointee)
        return type == UInt8(ascii: "d") || type == UInt8(ascii: "f") ? .real(doubleValue) : .whole(int64Value)
    }
}
