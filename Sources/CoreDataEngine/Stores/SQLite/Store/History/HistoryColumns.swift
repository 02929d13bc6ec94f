/// The bits of `ZCOLUMNS`: which properties of an entity an update changed.
///
/// The first property is the highest bit of the first byte. The order: to-ones by name, their order columns, attributes
/// by name with inherited ones first, to-manys by name, many-to-manys by name. What is not stored has no bit.
struct HistoryColumns: Sendable {
    private let bitByName: [String: Int]
    /// Properties by bit; `nil` for the bit of an order column.
    private let nameByBit: [String?]
    let count: Int

    private static let orderPrefix = "Z_FOK_"

    init(_ entity: EntityMapping) {
        var names: [String] = []
        let relationships = entity.layout.relationships.sorted { $0.name < $1.name }
        let toOnes = relationships.filter { if case .toOne = entity.mapping($0) { true } else { false } }
        names += toOnes.map(\.name)
        // An order column takes a bit of its own.
        for relationship in toOnes {
            if case .toOne(let column) = entity.mapping(relationship), column.orderColumn != nil {
                names.append(Self.orderPrefix + relationship.name)
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
        let orders = toOnes.count..<names.count
        nameByBit = names.enumerated().map { bit, name in
            orders.contains(bit) && name.hasPrefix(Self.orderPrefix) ? nil : name
        }
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

    /// The properties of a map. Bits beyond the entity's properties, which an older model may have had, are passed over.
    func names(in bytes: [UInt8]) -> [String] {
        nameByBit.enumerated().compactMap { bit, name in
            guard bit / 8 < bytes.count, bytes[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 else { return nil }
            return name
        }
    }
}
