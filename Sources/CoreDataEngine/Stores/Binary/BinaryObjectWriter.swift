import Foundation

/// Rows as the property list of a binary store.
struct BinaryObjectWriter {
    private let contents: InMemoryContents
    private let session: InMemorySession
    private var list = BinaryPropertyListWriter()
    private var forms: [ObjectIdentifier: Form] = [:]
    /// The keys that all rows have.
    private let keys: [Int]

    /// What the rows of an entity have in common: the strings, which are in the list once.
    private struct Form {
        var name: Int
        var slots: [(slot: SlotLayout, key: Int)]
        var relationships: [(relationship: RelationshipLayout, key: Int)]
    }

    init(contents: InMemoryContents) {
        self.contents = contents
        session = InMemorySession(contents: contents)
        var list = BinaryPropertyListWriter()
        keys = ["entity", "id", "values", "relationships"].map { list.add(.string($0)) }
        self.list = list
    }

    /// The list of all rows.
    ///
    /// - Throws: `CocoaError` naming an attribute whose value a binary store can't keep.
    mutating func data(lastNumber: Int64) throws -> Data {
        let objects = try contents.allRecords.map { try add($0) }
        let names = ["lastNumber", "objects"].map { list.add(.string($0)) }
        let number = list.add(.integer(lastNumber))
        let values = [number, list.add(.array(objects))]
        let top = list.add(.dictionary(keys: names, values: values))
        return list.data(top: top)
    }

    private mutating func form(of entity: EntityLayout) -> Form {
        if let known = forms[ObjectIdentifier(entity)] { return known }
        let slots = entity.slots.compactMap { $0 }.filter { !$0.isTransient && $0.kind != .toOne }
        let made = Form(
            name: list.add(.string(entity.name)), slots: slots.map { ($0, list.add(.string($0.name))) },
            relationships: entity.relationships.filter { !$0.isTransient }.map { ($0, list.add(.string($0.name))) })
        forms[ObjectIdentifier(entity)] = made
        return made
    }

    private mutating func add(_ record: InMemoryRecord) throws -> Int {
        let form = form(of: record.entity)
        var (names, values): ([Int], [Int]) = ([], [])
        for (slot, key) in form.slots {
            guard let value = try Self.value(record.values[slot.index], slot) else { continue }
            names.append(key)
            values.append(list.add(value))
        }
        let attributes = list.add(.dictionary(keys: names, values: values))
        (names, values) = ([], [])
        for (relationship, key) in form.relationships {
            let targets = session.targets(of: relationship, record)
            guard !targets.isEmpty else { continue }
            names.append(key)
            let numbers = targets.map { list.add(.integer($0)) }
            values.append(list.add(.array(numbers)))
        }
        let relationships = list.add(.dictionary(keys: names, values: values))
        let number = list.add(.integer(record.reference))
        return list.add(.dictionary(keys: keys, values: [form.name, number, attributes, relationships]))
    }

    private static func value(_ value: PropertyValue, _ slot: SlotLayout) throws -> BinaryPropertyList.Object? {
        switch value {
        case .null: return nil
        case .integer(let number): return .integer(number)
        // The bits: what is no number must survive too.
        case .double(let number): return .integer(Int64(bitPattern: number.bitPattern))
        case .string(let string): return .data(Data(string.utf8))
        case .data(let data): return .data(data)
        case .uuid(let uuid): return .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case .uri(let url): return .string(url.absoluteString)
        case .decimal(let box): return .string(box.value.description)
        case .reference, .object, .transformed:
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The attribute \(slot.owner.name).\(slot.name) has a value that a binary store can't keep.")
        }
    }
}
