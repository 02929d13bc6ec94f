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
        switch PredicateValue(value) {
        case .none: SQLTerm(sql: "NULL", type: .integer)
        case .integer(let integer): SQLTerm(constant: .integer(integer), type: .integer)
        case .real(let real): SQLTerm(constant: .real(real), type: .double)
        case .decimal(let decimal): SQLTerm(constant: SQLNumber.value(of: decimal), type: .decimal)
        case .text(let text): SQLTerm(constant: .text(text), type: .text)
        case .date(let date): SQLTerm(constant: .real(date.timeIntervalSinceReferenceDate), type: .date)
        case .data(let data): SQLTerm(constant: .blob(data), type: .data)
        case .uuid(let uuid): SQLTerm(constant: .blob(uuid.data), type: .uuid)
        case .url(let url): SQLTerm(constant: .text(url.absoluteString), type: .uri)
        case .object, .collection, .other: nil
        }
    }

    /// The elements of a collection, or nil for a value that is none.
    package static func elements(of value: Any?) -> [Any?]? {
        if case .collection(let elements) = PredicateValue(value) { elements } else { nil }
    }

    /// A number or UUID as text operators see it.
    package static func text(of value: SQLValue, type: SQLValueType) -> String? {
        switch value {
        case .integer(let integer): String(integer)
        case .real(let real): NumberText.text(of: real)
        case .text(let text): text
        case .blob(let data) where type == .uuid && data.count == 16:
            data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
        case .blob, .null: nil
        }
    }
}
