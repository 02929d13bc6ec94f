import Foundation

/// Equality of constants inside expressions, as strict as printing: strings by their bytes, numbers by value.
enum ConstantEquality {
    static func equal(_ left: Any?, _ right: Any?) -> Bool {
        let a = PredicateValue(left)
        let b = PredicateValue(right)
        return a.isSameKind(as: b) && ValueComparison.equal(a, b, options: [])
    }

    /// The elements of a constant collection in a definite order: those of a set sorted by their printed form, as the
    /// printer does.
    static func orderedElements(of value: Any?) -> [Any?]? {
        guard let value, !(value is String), case .collection(let elements) = PredicateValue(value) else { return nil }
        guard CollectionElements.isUnordered(value) else { return elements }
        return elements.map { (format: PredicateFormatPrinter.format(ofConstant: $0), value: $0) }
            .sorted { $0.format < $1.format }.map(\.value)
    }

    static func hash(_ value: Any?, into hasher: inout Hasher) {
        let value = PredicateValue(value)
        switch value {
        case .none: hasher.combine(0)
        case .integer, .real, .decimal, .date: hasher.combine(value.double)
        case .string(let string): for byte in string.utf8 { hasher.combine(byte) }
        case .uuid(let uuid): hasher.combine(uuid)
        case .data(let data): hasher.combine(data)
        case .object(let identity): hasher.combine(identity)
        case .url, .collection, .other: break
        }
    }
}

extension PredicateValue {
    /// Whether two values are of one kind; all numbers are.
    fileprivate func isSameKind(as other: PredicateValue) -> Bool { kind == other.kind }
}
