package import Foundation

/// A value of a row that its attribute's type can't have, such as text where there should be a number.
package struct DamagedValue: Sendable {
    package var entity: String
    package var property: String
    /// The row's number in the store.
    package var reference: Int64
    /// The table and the column, where they are known.
    package var place: String?
    /// What is there, and what should be.
    package var found: String
    package var expected: String
    /// The file of the store.
    package var path: String?
    /// Whether the store is sound, and another program has written what the attribute can't have: only who asks for the value
    /// has to know.
    package var isForeign = false

    package init(
        entity: String, property: String, reference: Int64, place: String? = nil, found: String, expected: String,
        path: String? = nil, isForeign: Bool = false
    ) {
        self.entity = entity
        self.property = property
        self.reference = reference
        self.place = place
        self.found = found
        self.expected = expected
        self.path = path
        self.isForeign = isForeign
    }

    package var sentence: String {
        let place = place.map { " (\($0))" } ?? ""
        return
            "The value of \(property) of \(entity)/p\(reference)\(place) is damaged: it is \(found), but should be \(expected)."
    }

    package var error: CocoaError {
        CoreDataError.make(CocoaError.Code.fileReadCorruptFile.rawValue, sentence, path: path)
    }
}

extension DamagedValue {
    /// What a column of a row has in the place of an attribute's value.
    package init(
        of slot: SlotLayout, _ found: SQLValue, entity: String, reference: Int64, table: String, column: String,
        path: String?
    ) {
        self.init(
            entity: entity, property: slot.name, reference: reference,
            place: "row \(reference) of table \(table), column \(column)", found: Self.found(found, slot.kind),
            expected: Self.expected(slot.kind), path: path)
    }

    /// What there should be in the column of a property.
    package static func expected(_ kind: SlotKind) -> String {
        switch kind {
        case .integer16, .integer32:
            kind.integerRange.map { "an integer from \($0.lowerBound) to \($0.upperBound)" } ?? "an integer"
        case .integer64: "an integer"
        case .boolean: "a Boolean"
        case .double, .float: "a number"
        case .decimal: "a decimal"
        case .date: "a date"
        case .string: "a string"
        case .uri: "a URI"
        case .uuid: "a UUID"
        case .toOne: "the primary key of an object"
        case .data, .transformable, .objectID, .composite, .undefined: "bytes"
        }
    }

    /// What there is instead.
    package static func found(_ value: SQLValue, _ kind: SlotKind) -> String {
        switch value {
        case .null: "nothing"
        case .integer(let number): kind.integerRange == nil ? "an integer" : String(number)
        case .real(let number): number == number.rounded() ? "\(number)" : "a number with decimals"
        case .text: "text"
        case .blob: kind == .uuid ? "bytes of another length" : "bytes"
        }
    }
}

/// The damaged values of a slab. Their slots are null, but for those of composite attributes, which have the elements that
/// are sound.
package struct DamagedValues: Sendable {
    struct Key: Hashable {
        let row: Int
        let slot: Int
    }

    /// For a composite attribute one for each damaged element.
    private(set) var byKey: [Key: [DamagedValue]] = [:]

    /// The one to report before anybody asks for it: that of the first row.
    package var first: DamagedValue? { all.first { !$0.isForeign } }

    package var all: [DamagedValue] {
        byKey.sorted { ($0.key.row, $0.key.slot) < ($1.key.row, $1.key.slot) }.flatMap(\.value)
    }

    subscript(row: Int, slot: Int) -> [DamagedValue] { byKey[Key(row: row, slot: slot)] ?? [] }

    mutating func append(_ value: DamagedValue, row: Int, slot: Int) {
        byKey[Key(row: row, slot: slot), default: []].append(value)
    }

    func of(row: Int) -> [(slot: Int, value: DamagedValue)] {
        byKey.filter { $0.key.row == row }.flatMap { entry in entry.value.map { (entry.key.slot, $0) } }
    }

    /// The same for rows in another order.
    ///
    /// - Parameter order: For each row its present index.
    func reordered(_ order: [Int]) -> DamagedValues {
        var result = DamagedValues()
        for (index, source) in order.enumerated() {
            for (slot, value) in of(row: source) { result.append(value, row: index, slot: slot) }
        }
        return result
    }
}
