import CoreDataEngine
import Synchronization

/// Where the elements of a structure stand in the bytes of its composite attribute.
// @unchecked Sendable because only `keys` changes, which is atomic; the leaves are constants.
final class StructLayout: @unchecked Sendable {
    /// The elements in the order of the bytes.
    let leaves: [SlotLayout]
    let names: [String]
    private let keys = AtomicLazyReference<KeyPlaces>()

    /// The elements by the numbers of a type's coding keys.
    private final class KeyPlaces: Sendable {
        let type: ObjectIdentifier
        /// Below 0 where the attribute has no such element.
        let leaves: [Int]

        init(_ type: ObjectIdentifier, _ leaves: [Int]) {
            self.type = type
            self.leaves = leaves
        }
    }

    /// - Parameter property: The name of the property, with which those of the leaves begin.
    init(_ leaves: [SlotLayout], of property: String) {
        self.leaves = leaves
        names = leaves.map { String($0.name.dropFirst(property.count + 1)) }
    }

    /// The number of the element that a coding key stands for.
    func leaf<Key: CodingKey>(of key: Key) -> Int? {
        guard let known = keys.load() ?? places(of: Key.self), known.type == ObjectIdentifier(Key.self),
            let index = EnumSlots.index(of: key), index < known.leaves.count
        else { return names.firstIndex(of: ElementName.of(key)) }
        let leaf = known.leaves[index]
        return leaf < 0 ? nil : leaf
    }

    private func places<Key: CodingKey>(of type: Key.Type) -> KeyPlaces? {
        guard let cases = EnumSlots.caseNames(of: type) else { return nil }
        let leaves = cases.map { names.firstIndex(of: $0) ?? -1 }
        return keys.storeIfNil(KeyPlaces(ObjectIdentifier(type), leaves))
    }
}

/// The elements that a structure is made of: a dictionary, or the bytes of its attribute.
enum ElementSource {
    case dictionary([String: Any])
    case packed(PackedComposite, StructLayout)

    /// The value of an element as the engine gives it to applications.
    func stored<Key: CodingKey>(_ key: Key) -> Any? {
        switch self {
        case .dictionary(let elements): elements[ElementName.of(key)]
        case .packed(let composite, let layout):
            layout.leaf(of: key).flatMap { leaf in
                composite.place(ofLeaf: leaf).flatMap { layout.leaves[leaf].any(fromStored: composite.value(at: $0)) }
            }
        }
    }

    func contains<Key: CodingKey>(_ key: Key) -> Bool {
        switch self {
        case .dictionary(let elements): elements[ElementName.of(key)] != nil
        case .packed(let composite, let layout):
            layout.leaf(of: key).flatMap(composite.place(ofLeaf:)) != nil
        }
    }

    var names: [String] {
        switch self {
        case .dictionary(let elements): Array(elements.keys)
        case .packed(let composite, let layout):
            layout.leaves.indices.filter { composite.place(ofLeaf: $0) != nil }.map { layout.names[$0] }
        }
    }

    /// What an element has, as a type that the bytes have as it is; `nil` where it has to be converted.
    @inline(__always)
    func plain<Key: CodingKey, Value>(
        _ key: Key, _ read: (PackedComposite, Int) -> Value?
    ) -> Value? {
        switch self {
        case .dictionary(let elements): return elements[ElementName.of(key)] as? Value
        case .packed(let composite, let layout):
            guard let leaf = layout.leaf(of: key), let place = composite.place(ofLeaf: leaf) else { return nil }
            return read(composite, place)
        }
    }
}
