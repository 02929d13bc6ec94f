import Foundation

/// The values of attributes as text.
enum XMLValue {
    /// The `type` of an `attribute` element.
    static func typeName(_ kind: SlotKind) -> String {
        switch kind {
        case .integer16: "int16"
        case .integer32: "int32"
        case .integer64: "int64"
        case .boolean: "bool"
        case .double: "double"
        case .float: "float"
        case .date: "date"
        case .string: "string"
        case .data: "binary"
        case .uuid: "uuid"
        case .uri: "uri"
        case .decimal: "decimal"
        case .transformable: "transformable"
        case .objectID, .composite, .undefined, .toOne: "undefined"
        }
    }

    /// The text of a value; `nil` if the attribute has no value and is left out.
    static func string(of value: PropertyValue, _ slot: SlotLayout) throws -> String? {
        switch value {
        case .null: nil
        case .integer(let number): String(number)
        case .double(let number): slot.kind == .float ? "\(Float(number))" : "\(number)"
        case .string(let string): XMLText.escaped(string)
        case .data(let data): data.base64EncodedString()
        case .uuid(let uuid): uuid.uuidString
        case .uri(let url): XMLText.escaped(url.absoluteString)
        case .decimal(let box): box.value.description
        case .reference, .object, .transformed:
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The attribute \(slot.owner.name).\(slot.name) has a value that an XML store can't keep.")
        }
    }

    /// The value for a string.
    ///
    /// - Throws: `CocoaError` that names the attribute if the text can't be converted to its type.
    static func value(of string: String, _ slot: SlotLayout) throws -> PropertyValue {
        let trimmed = trimmed(string)
        let value: PropertyValue? =
            switch slot.kind {
            case .integer16: Int16(trimmed).map { .integer(Int64($0)) }
            case .integer32: Int32(trimmed).map { .integer(Int64($0)) }
            case .integer64: Int64(trimmed).map { .integer($0) }
            case .boolean: flag(trimmed).map { .integer($0) }
            case .double, .date: Double(trimmed).map { .double($0) }
            case .float: Float(trimmed).map { .double(Double($0)) }
            case .string: .string(string)
            case .data, .transformable, .composite, .objectID, .undefined:
                (Data(base64Encoded: trimmed) ?? Data(base64Encoded: trimmed.filter { !$0.isWhitespace }))
                    .map { .data($0) }
            case .uuid: UUID(uuidString: trimmed).map { .uuid($0) }
            case .uri: URL(string: trimmed).map { .uri($0) }
            case .decimal:
                (trimmed == "NaN" ? .nan : Decimal.isNumber(trimmed) ? Decimal(string: trimmed, locale: nil) : nil)
                    .map { .decimal(DecimalBox($0)) }
            case .toOne: nil
            }
        guard let value else {
            throw XMLStoreFormat.damaged(
                "the attribute \(slot.owner.name).\(slot.name) has the text '\(trimmed.prefix(40))', which is no "
                    + typeName(slot.kind))
        }
        return value
    }

    /// Foundation's trimming walks over the whole string as UTF-16, which takes most of the time of reading a store. Few
    /// strings begin or end with whitespace.
    private static func trimmed(_ string: String) -> String {
        func mayBeSpace(_ byte: UInt8) -> Bool { byte <= 0x20 || byte >= 0x7F }
        let bytes = string.utf8
        guard let first = bytes.first, let last = bytes.last, mayBeSpace(first) || mayBeSpace(last) else {
            return string
        }
        return string.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func flag(_ string: String) -> Int64? {
        switch string.lowercased() {
        case "1", "true", "yes": 1
        case "0", "false", "no": 0
        default: nil
        }
    }
}
