/// The rows that a fetch found, in order: eight bytes for each, and two more where rows of several entities are mixed.
///
/// Kept in pages, so that it grows without a copy.
package struct ReferenceList {
    /// The entity of rows that nothing else is said of: its index in the model.
    private let entity: Int
    private var references: [ContiguousArray<Int64>] = []
    /// By page; empty while all rows are of `entity`.
    private var entities: [ContiguousArray<UInt16>] = []
    package private(set) var count = 0

    private static let pageBits = 13
    private static var pageSize: Int { 1 << pageBits }

    package init(entity: EntityLayout) { self.entity = entity.index }

    package mutating func append(_ reference: Int64, entityIndex: Int) {
        if count & (Self.pageSize - 1) == 0 { addPage() }
        references[references.count - 1].append(reference)
        if entityIndex != entity || !entities.isEmpty { append(entity: entityIndex) }
        count += 1
    }

    private mutating func addPage() {
        var page = ContiguousArray<Int64>()
        page.reserveCapacity(Self.pageSize)
        references.append(page)
        if !entities.isEmpty { entities.append([]) }
    }

    private mutating func append(entity index: Int) {
        if entities.isEmpty {
            entities = references.map { ContiguousArray(repeating: UInt16(clamping: entity), count: $0.count) }
            entities[entities.count - 1].removeLast()
        }
        entities[entities.count - 1].append(UInt16(clamping: index))
    }

    package subscript(position: Int) -> ObjectReference {
        let (page, offset) = (position >> Self.pageBits, position & (Self.pageSize - 1))
        let index = entities.isEmpty ? entity : Int(entities[page][offset])
        return ObjectReference(
            reference: references[page][offset], entityIndex: Int32(truncatingIfNeeded: index))
    }
}

extension RowReading {
    /// The rows of a query, from a store that has no shorter way.
    package func fetchReferences(_ query: StoreQuery) throws -> ReferenceList {
        var query = query
        query.includesValues = false
        let slab = try fetchRows(query)
        var list = ReferenceList(entity: query.entity)
        for row in 0..<slab.count { list.append(slab.reference(row), entityIndex: slab.entityIndex(row)) }
        return list
    }
}
