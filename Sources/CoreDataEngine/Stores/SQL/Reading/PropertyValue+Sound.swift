import Foundation

extension PropertyValue {
    /// A database's value as an attribute of a kind has it, or nil if such an attribute can't have it.
    ///
    /// What another program wrote in another form is taken when nothing of it is lost: a whole number as a real one or as
    /// text, for example.
    static func sound(_ stored: SQLValue, kind: SlotKind) -> PropertyValue? {
        if stored == .null { return .null }
        let isWhole: Bool? =
            switch kind {
            case .integer16, .integer32, .integer64, .boolean: true
            case .double, .float, .date: false
            default: nil
            }
        if let isWhole {
            let text = stored.string.flatMap { Decimal.isNumber($0) ? $0 : nil }
            if isWhole {
                let real = stored.number ?? text.flatMap(Double.init)
                return (stored.integer ?? text.flatMap { Int64($0) } ?? real.flatMap { Int64(exactly: $0) })
                    .flatMap { kind.integerRange?.contains($0) == false ? nil : .integer($0) }
            }
            return (stored.number ?? text.flatMap(Double.init)).map { .double($0) }
        }
        switch (stored, kind) {
        case (.real(let number), .string), (.real(let number), .uri):
            return PropertyValue(.text(SQLNumber.string(of: number)), kind: kind)
        case (.text(let text), .decimal) where !Decimal.isNumber(text): return nil
        default: break
        }
        let value = PropertyValue(stored, kind: kind)
        return switch (value, kind) {
        case (.string, .string), (.uri, .uri), (.uuid, .uuid), (.decimal, .decimal), (.data, .data),
            (.data, .transformable), (_, .composite), (_, .objectID), (_, .undefined), (_, .toOne):
            value
        default: nil
        }
    }
}
