/// The bits of `ZCOLUMNS`: which properties of an entity an update changed.
///
/// The first property is the highest bit of the first byte. The order: to-ones by name, their order columns, attributes
/// by name with inherited ones first, to-manys by name, many-to-manys by name. What is not stored has no bit.
struct HistoryColumns: Sendable {
    private let bitByName: [String: Int]
    let count: Int

    init(_ entity: EntityMapping) {
        var names: [String] = []
        let relationships = entity.layout.relationships.sorted { $0.name < $1.name }
        let toOnes = relationships.filter { if case .toOne = entity.mapping($0) { true } else { false } }
        names += toOnes.map(\.name)
        // An order column takes a bit of its own.
        for relationship in toOnes {
            if case .toOne(let column) = entity.mapping(relationship), column.orderColumn != nil {
                names.append("Z_FOK_" + relationship.name)
            }
        }
        let lineage = Array(sequence(first: entity.layout, next: \.parent)).reversed()
        var known: Set<String> = []
        for layout in lineage {
            let attributes = layout.slots.compactMap { $0 }.filter { $0.kind != .toOne && entity.column($0) != nil }
            names += attributes.map(\.name).filter { known.insert($0).inserted }.sorted()
        }
        names += relationships.filter {
            switch entity.mapping($0) {
            case .inverse, .hidden: true
            default: false
            }
        }.map(\.name)
        names += relationships.filter { if case .join = entity.mapping($0) { true } else { false } }.map(\.name)
        count = names.count
        bitByName = Dictionary(
            names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// The map for some changed properties.
    func bits(for names: [String]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (count + 7) / 8)
        for name in names {
            if let bit = bitByName[name] { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        }
        return bytes
    }
}
