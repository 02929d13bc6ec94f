import Foundation
import OpenCoreData

/// Checksums of the objects of one entity in a store, which are the same in two stores that have the same objects,
/// whatever their numbers and in whatever form the stores keep them.
struct StoreDigest {
    static let pieceSize = 1_000

    let store: any RowStore
    let entity: EntityLayout
    /// Whether dates count in microseconds, as PostgreSQL has them.
    let roundsDates: Bool
    /// The number that represents a row in both stores; nil for one that is not there.
    let number: (_ reference: Int64, _ root: EntityLayout) -> Int64?

    /// A sum over objects, in which their order doesn't matter.
    struct Sum: Equatable, CustomStringConvertible {
        private var words: [UInt64] = [0, 0]

        mutating func add(_ bytes: [UInt8]) {
            let hash = [UInt8](SHA256.hash(Data(bytes)))
            for index in words.indices {
                var word: UInt64 = 0
                for byte in hash[index * 8..<index * 8 + 8] { word = word << 8 | UInt64(byte) }
                words[index] &+= word
            }
        }

        var description: String {
            words.map { word in
                let digits = String(word, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined()
        }
    }

    /// The sum over rows.
    ///
    /// - Parameter step: Called with the number of rows that were read.
    func sum(_ references: [Int64], _ step: (Int) throws -> Void) throws -> Sum {
        var sum = Sum()
        for start in stride(from: 0, to: references.count, by: Self.pieceSize) {
            let piece = Array(references[start..<min(start + Self.pieceSize, references.count)])
            for object in try objects(piece).values {
                var bytes: [UInt8] = []
                for (name, value) in object.sorted(by: { $0.key < $1.key }) {
                    Self.append(Array(name.utf8), to: &bytes)
                    Self.append(value, to: &bytes)
                }
                sum.add(bytes)
            }
            try step(piece.count)
        }
        return sum
    }

    /// What each row has, as bytes by the names of properties.
    func objects(_ references: [Int64]) throws -> [Int64: [String: [UInt8]]] {
        guard !references.isEmpty else { return [:] }
        let slab = try store.fetchRows(references: references, entity: entity, includesValues: true)
        var objects: [Int64: [String: [UInt8]]] = [:]
        for row in 0..<slab.count {
            let reference = slab.reference(row)
            var object = ["objectID": Self.encoded(number(reference, entity.root) ?? -1)]
            for case let slot? in entity.slots where !slot.isTransient && slot.isCompared {
                object[slot.name] = try bytes(of: slot, slab, row)
            }
            objects[reference] = object
        }
        for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient {
            // What is the other side of a to-one, without an order, is compared there.
            guard relationship.isOrdered || relationship.inverse?.isToMany != false else { continue }
            let members = try store.fetchToMany(relationship, owners: references, includesValues: false)
            for (owner, range) in zip(references, members.ranges) {
                let numbers = range.compactMap { index in
                    number(members.rows.reference(index), relationship.destination.root)
                }
                let ordered = relationship.isOrdered ? numbers : numbers.sorted()
                objects[owner]?[relationship.name] = ordered.flatMap(Self.encoded)
            }
        }
        return objects
    }

    // MARK: Values

    private func bytes(of slot: SlotLayout, _ slab: RowSlab, _ row: Int) throws -> [UInt8] {
        if slab.isNull(row, slot.index) { return [] }
        switch try slab.value(row, slot) {
        case .null, .object, .transformed: return []
        case .integer(let number): return [1] + Self.encoded(number)
        case .double(let number): return bytes(number, isDate: slot.kind == .date)
        case .string(let string): return [3] + Array(string.utf8)
        case .uri(let url): return [3] + Array(url.absoluteString.utf8)
        case .decimal(let box): return Self.bytes(decimal: box.value.description)
        case .uuid(let uuid): return [5] + withUnsafeBytes(of: uuid.uuid) { Array($0) }
        case .data(let data) where slot.kind == .composite: return bytes(ofComposite: data, slot)
        case .data(let data): return [6] + Array(data)
        case .reference(let target):
            let layout = entity.model.entities[Int(target.entityIndex)]
            guard let number = number(target.reference, layout.root) else { return [] }
            return [7] + Self.encoded(number) + Array(layout.name.utf8)
        }
    }

    private func bytes(_ number: Double, isDate: Bool) -> [UInt8] {
        // What is no number is no value in stores of SQL.
        if number.isNaN { return [] }
        guard isDate, roundsDates, abs(number) < 9e11 else {
            return [2] + Self.encoded(Int64(bitPattern: (number + 0).bitPattern))
        }
        let whole = number.rounded(.down)
        return [8] + Self.encoded(Int64(whole) * 1_000_000 + Int64(((number - whole) * 1e6).rounded()))
    }

    private func bytes(ofComposite data: Data, _ slot: SlotLayout) -> [UInt8] {
        let values = CompositeCoding.unpack(data)
        let leaves = zip(slot.leaves, values).map { leaf, value -> [UInt8] in
            switch value {
            case .null: return []
            case .integer(let number) where leaf.kind == .decimal: return Self.bytes(decimal: String(number))
            case .integer(let number): return [1] + Self.encoded(number)
            case .real(let number) where leaf.kind == .decimal: return Self.bytes(decimal: SQLNumber.string(of: number))
            case .real(let number): return bytes(number, isDate: leaf.kind == .date)
            case .text(let string) where leaf.kind == .decimal: return Self.bytes(decimal: string)
            case .text(let string): return [3] + Array(string.utf8)
            case .blob(let data): return [6] + Array(data)
            }
        }
        if leaves.allSatisfy({ $0.isEmpty }) { return [] }
        var result: [UInt8] = [9]
        for leaf in leaves { Self.append(leaf, to: &result) }
        return result
    }

    /// A decimal without zeros that say nothing.
    private static func bytes(decimal string: String) -> [UInt8] {
        guard !string.contains("N") else { return [] }
        var string = string
        if string.contains("."), !string.contains("e"), !string.contains("E") {
            while string.hasSuffix("0") { string.removeLast() }
            if string.hasSuffix(".") { string.removeLast() }
        }
        return [4] + Array(string.utf8)
    }

    private static func encoded(_ number: Int64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    private static func append(_ part: [UInt8], to bytes: inout [UInt8]) {
        bytes += Self.encoded(Int64(part.count))
        bytes += part
    }
}

extension SlotLayout {
    /// Whether two stores with the same objects have the same value: what a store derives may be the time of its own
    /// saves.
    fileprivate var isCompared: Bool { !(property is NSDerivedAttributeDescription) }
}
