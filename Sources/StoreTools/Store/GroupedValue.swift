import Foundation
import OpenCoreData

/// A value of a grouped query's answer. It is sorted as what it is, not as what it is shown as.
package struct GroupedValue {
    private enum Order {
        case null
        case notANumber
        case integer(Int64)
        case number(Double)
        case decimal(Decimal)
        case text(String)
    }

    package let json: JSONValue
    private let order: Order

    /// - Parameter attribute: What the value is of; `nil` if it was computed.
    init(_ value: Any?, of attribute: NSAttributeDescription?) {
        json = Self.json(value, of: attribute)
        order = Self.order(value, json)
    }

    private static func json(_ value: Any?, of attribute: NSAttributeDescription?) -> JSONValue {
        guard let composite = attribute as? NSCompositeAttributeDescription, !(value is [String: Any]) else {
            return attribute.map { AttributeCoding.json(value, of: $0) } ?? DynamicJSON.json(value)
        }
        // Of an enumeration with raw values the request asks for the element that has them.
        guard case .rawValues(let element) = CompositeShape(of: composite) else { return DynamicJSON.json(value) }
        return AttributeCoding.json(value, of: element)
    }

    private static func order(_ value: Any?, _ json: JSONValue) -> Order {
        switch (value, json) {
        case (_, .null): .null
        case (let number as NSDecimalNumber, _):
            number.decimalValue.isNaN ? .notANumber : .decimal(number.decimalValue)
        case (let date as Date, _): order(date.timeIntervalSinceReferenceDate)
        case (_, .bool(let flag)): .integer(flag ? 1 : 0)
        case (_, .integer(let number)): .integer(number)
        case (let number as NSNumber, _): order(number.doubleValue)
        case (_, .number(let number)): order(number)
        case (_, .string(let string)): .text(string)
        default: .text(JSONText.string(of: json))
        }
    }

    private static func order(_ number: Double) -> Order { number.isNaN ? .notANumber : .number(number) }

    /// Whether the value is sorted before another. Null comes first, and then what is not a number.
    func isBefore(_ another: GroupedValue) -> Bool {
        switch (order, another.order) {
        case (.integer(let one), .integer(let other)): return one < other
        case (.decimal(let one), .decimal(let other)): return one < other
        case (.text(let one), .text(let other)): return one < other
        default:
            let (one, other) = (Self.rank(order), Self.rank(another.order))
            if one != other { return one < other }
            return Self.number(order) < Self.number(another.order)
        }
    }

    private static func rank(_ order: Order) -> Int {
        switch order {
        case .null: 0
        case .notANumber: 1
        case .integer, .number, .decimal: 2
        case .text: 3
        }
    }

    private static func number(_ order: Order) -> Double {
        switch order {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
        case .null, .notANumber, .text: 0
        }
    }
}
