import Foundation

/// Writes property values into the placeholders of a statement, in the form that Apple's stores have.
final class PropertyBinder {
    private let store: StoreMapping
    private let arena = BindingArena()
    /// Keeps a large value in a file; gives the bytes for the row.
    private let externalData: (Data) throws -> Data

    init(store: StoreMapping, externalData: @escaping (Data) throws -> Data) {
        self.store = store
        self.externalData = externalData
    }

    /// Makes the memory of earlier bindings available again. Call it when the statement has run.
    func reset() { arena.reset() }

    /// Binds a value of a slot with one placeholder, if that takes nothing but the value.
    ///
    /// - Returns: Whether it does.
    @inline(__always)
    func bind(simple value: PropertyValue, to statement: SQLiteStatement, at index: Int32) throws -> Bool {
        switch value {
        case .null: try statement.bindNull(at: index)
        case .integer(let integer): try statement.bind(integer, at: index)
        case .double(let double): try statement.bind(double, at: index)
        case .string(let string): try bind(string: string, to: statement, at: index)
        case .reference(let target): try statement.bind(target.reference, at: index)
        case .uri, .uuid, .decimal, .data, .transformed, .object: return false
        }
        return true
    }

    /// Binds the value of a slot: one placeholder, and one more for a polymorphic to-one.
    ///
    /// - Returns: The next placeholder.
    func bind(
        _ value: PropertyValue, slot: SlotLayout, column: ColumnMapping, to statement: SQLiteStatement, at index: Int32
    ) throws -> Int32 {
        guard column.leaves.isEmpty else {
            return try bind(composite: value, slot: slot, column: column, to: statement, at: index)
        }
        switch value {
        case .null: try statement.bindNull(at: index)
        case .integer(let integer): try statement.bind(integer, at: index)
        case .double(let double): try statement.bind(double, at: index)
        case .string(let string): try bind(string: string, to: statement, at: index)
        case .uri(let url): try bind(string: url.absoluteString, to: statement, at: index)
        case .uuid(let uuid):
            try withUnsafeBytes(of: uuid.uuid) {
                try statement.bind(blob: arena.copy($0), isKept: true, at: index)
            }
        case .decimal(let box): try statement.bind(SQLNumber.value(of: box.value), at: index)
        case .data(let data): try bind(data: data, column: column, to: statement, at: index)
        case .transformed(let transformed):
            try bind(data: try slot.archived(transformed.value) ?? Data(), column: column, to: statement, at: index)
        case .reference(let target): try statement.bind(target.reference, at: index)
        case .object:
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The relationship \"\(slot.name)\" of \(slot.owner.name) still holds an object instead of its identity."
            )
        }
        guard column.entityColumn != nil else { return index + 1 }
        try bindEntity(of: value, to: statement, at: index + 1)
        return index + 2
    }

    /// Binds the leaves of a composite attribute, one placeholder each.
    private func bind(
        composite value: PropertyValue, slot: SlotLayout, column: ColumnMapping, to statement: SQLiteStatement,
        at index: Int32
    ) throws -> Int32 {
        let packed: Data? =
            switch value {
            case .data(let data): data
            case .transformed(let transformed): try slot.archived(transformed.value)
            default: nil
            }
        let values = packed.map(CompositeCoding.unpack) ?? []
        for position in column.leaves.indices {
            let at = index + Int32(position)
            switch position < values.count ? values[position] : .null {
            case .null: try statement.bindNull(at: at)
            case .integer(let number): try statement.bind(number, at: at)
            case .real(let number): try statement.bind(number, at: at)
            case .text(let string): try bind(string: string, to: statement, at: at)
            case .blob(let data): try bind(data: data, column: column, to: statement, at: at)
            }
        }
        return index + Int32(column.leaves.count)
    }

    private func bindEntity(of value: PropertyValue, to statement: SQLiteStatement, at index: Int32) throws {
        guard case .reference(let target) = value, Int(target.entityIndex) < store.entities.count,
            let entity = store.entities[Int(target.entityIndex)]
        else { return try statement.bindNull(at: index) }
        try statement.bind(entity.number, at: index)
    }

    private func bind(string: String, to statement: SQLiteStatement, at index: Int32) throws {
        var string = string
        try string.withUTF8 { bytes in
            let copy = arena.copy(UnsafeRawBufferPointer(bytes))
            try statement.bind(utf8: copy.assumingMemoryBound(to: UInt8.self), isKept: true, at: index)
        }
    }

    private func bind(data: Data, column: ColumnMapping, to statement: SQLiteStatement, at index: Int32) throws {
        let stored = column.isExternal ? try externalData(data) : data
        try stored.withUnsafeBytes { try statement.bind(blob: arena.copy($0), isKept: true, at: index) }
    }
}
