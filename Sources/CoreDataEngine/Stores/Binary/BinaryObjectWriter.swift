import Foundation

/// Rows as the dictionaries of a binary store.
struct BinaryObjectWriter {
    private let contents: InMemoryContents
    private let session: InMemorySession

    init(contents: InMemoryContents) {
        self.contents = contents
        session = InMemorySession(contents: contents)
    }

    func objects() throws -> [[String: Any]] { try contents.allRecords.map { try object($0) } }

    private func object(_ record: InMemoryRecord) throws -> [String: Any] {
        var values: [String: Any] = [:]
        for case let slot? in record.entity.slots where !slot.isTransient && slot.kind != .toOne {
            values[slot.name] = try Self.value(record.values[slot.index], slot)
        }
        var relationships: [String: [Int64]] = [:]
        for relationship in record.entity.relationships where !relationship.isTransient {
            let targets = session.targets(of: relationship, record)
            if !targets.isEmpty { relationships[relationship.name] = targets }
        }
        return ["entity": record.entity.name, "id": record.reference, "values": values, "relationships": relationships]
    }

    private static func value(_ value: PropertyValue, _ slot: SlotLayout) throws -> Any? {
        switch value {
        case .null: return nil
        case .integer(let number): return number
        // The bits: what is no number must survive too.
        case .double(let number): return Int64(bitPattern: number.bitPattern)
        case .string(let text): return Data(text.utf8)
        case .data(let data): return data
        case .uuid(let uuid): return withUnsafeBytes(of: uuid.uuid) { Data($0) }
        case .uri(let url): return url.absoluteString
        case .decimal(let box): return box.value.description
        case .reference, .object, .transformed:
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The attribute \(slot.owner.name).\(slot.name) has a value that a binary store can't keep.")
        }
    }
}
