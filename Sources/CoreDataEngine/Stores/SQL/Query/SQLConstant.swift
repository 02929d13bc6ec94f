import Foundation

/// Swift values as bound values.
package enum SQLConstant {
    /// A value in the representation of a type; nil when the value is not of that kind.
    package static func value(_ value: Any?, as type: SQLValueType) -> SQLValue? {
        guard let value else { return .null }
        guard let term = term(value), let constant = term.constant else { return nil }
        return term.type == type || term.type.isComparable(with: type) ? constant : nil
    }

    /// A value with the type it is by itself; nil for values that no column can hold.
    package static func term(_ value: Any?) -> SQLTerm? {
        let value = PredicateValue(value)
        if case .none = value { return SQLTerm(sql: "NULL", type: .integer) }
        return bound(value).map { SQLTerm(constant: $0, type: $1) }
    }

    /// The same as what is bound; nil for no value, too.
    static func bound(_ value: Any) -> (value: SQLValue, type: SQLValueType)? { bound(PredicateValue(value)) }

    private static func bound(_ value: PredicateValue) -> (value: SQLValue, type: SQLValueType)? {
        switch value {
        case .integer(let integer): (.integer(integer), .integer)
        case .real(let real): (.real(real), .double)
        case .decimal(let decimal): (SQLNumber.value(of: decimal), .decimal)
        case .string(let string): (.text(string), .text)
        case .date(let date): (.real(date.timeIntervalSinceReferenceDate), .date)
        case .data(let data): (.blob(data), .data)
        case .uuid(let uuid): (.blob(uuid.data), .uuid)
        case .url(let url): (.text(url.absoluteString), .uri)
        case .none, .object, .collection, .other: nil
        }
    }

    /// The elements of a collection; `nil` if the value isn't a collection.
    package static func elements(of value: Any?) -> [Any?]? {
        if case .collection(let elements) = PredicateValue(value) { elements } else { nil }
    }

    /// A number or UUID as string operators see it.
    package static func string(of value: SQLValue, type: SQLValueType) -> String? {
        switch value {
        case .integer(let integer): String(integer)
        case .real(let real): NumberFormat.string(of: real)
        case .text(let string) where type == .decimal:
            Decimal(string: string).map { NumberFormat.string(of: $0) } ?? string
        case .text(let string): string
        case .blob(let data) where type == .uuid && data.count == 16:
            data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
        case .blob, .null: nil
        }
    }
}
