import CoreDataEngine

/// Where the elements of a structure stand in the bytes of its composite attribute.
// @unchecked Sendable because only what is atomic changes; the leaves are constants.
final class StructLayout: @unchecked Sendable {
    /// The elements in the order of the bytes.
    let leaves: [SlotLayout]
    /// The kinds of the leaves, which are read without counting references.
    private let kinds: UnsafeMutablePointer<SlotKind>
    let names: [String]
    /// What the next structure is encoded with.
    let spare = SpareObject<ElementEncoder.Elements>()
    private let keys = MadeOnce<KeyPlaces>()

    /// The elements by the numbers of a type's coding keys.
    private final class KeyPlaces: Sendable {
        let type: ObjectIdentifier
        /// Below 0 where the attribute has no such element.
        let leaves: [Int]
        /// Whether a key is one byte, its number.
        private let isByte: Bool

        init<Key: CodingKey>(_ type: Key.Type, _ leaves: [Int]) {
            self.type = ObjectIdentifier(type)
            self.leaves = leaves
            isByte = MemoryLayout<Key>.size == 1
        }

        /// The number of an element, or below 0; `nil` for a key of another type.
        @inline(__always)
        func leaf<Key: CodingKey>(of key: Key) -> Int? {
            guard type == ObjectIdentifier(Key.self) else { return nil }
            // The common case doesn't ask for the size of the type, which isn't known when this is compiled.
            let index =
                isByte
                ? withUnsafePointer(to: key) { Int(UnsafeRawPointer($0).load(as: UInt8.self)) }
                : EnumSlots.index(of: key) ?? leaves.count
            return index < leaves.count ? leaves[index] : nil
        }
    }

    /// - Parameter property: The name of the property, with which those of the leaves begin.
    init(_ leaves: [SlotLayout], of property: String) {
        self.leaves = leaves
        names = leaves.map { String($0.name.dropFirst(property.count + 1)) }
        kinds = .allocate(capacity: leaves.count)
        for (index, leaf) in leaves.enumerated() { (kinds + index).initialize(to: leaf.kind) }
    }

    deinit { kinds.deallocate() }

    /// The number of the element that a coding key represents, if the element is of a kind.
    @inline(__always)
    func leaf<Key: CodingKey>(of key: Key, _ kind: SlotKind) -> Int? {
        guard let leaf = leaf(of: key), kinds[leaf] == kind else { return nil }
        return leaf
    }

    /// The number of the element that a coding key represents.
    @inline(__always)
    func leaf<Key: CodingKey>(of key: Key) -> Int? {
        if let known = keys.loadUncounted()?._withUnsafeGuaranteedRef({ $0.leaf(of: key) }) {
            return known < 0 ? nil : known
        }
        return searchedLeaf(of: key)
    }

    @inline(never)
    private func searchedLeaf<Key: CodingKey>(of key: Key) -> Int? {
        if keys.load() == nil { makePlaces(of: Key.self) }
        return names.firstIndex(of: ElementName.of(key))
    }

    private func makePlaces<Key: CodingKey>(of type: Key.Type) {
        guard let cases = EnumSlots.caseNames(of: type) else { return }
        let leaves = cases.map { names.firstIndex(of: $0) ?? -1 }
        _ = keys.storeIfNil(KeyPlaces(type, leaves))
    }
}

/// The elements that a structure is made of: a dictionary, or the bytes of its attribute.
///
/// It is as large as what a decoder may have without memory of its own, and is copied without counting references: who
/// decodes keeps what it refers to.
struct ElementSource {
    /// The elements by names.
    final class Dictionary {
        let elements: [String: Any]

        init(_ elements: [String: Any]) { self.elements = elements }
    }

    private let composite: PackedComposite
    /// A layout, or for elements without bytes a dictionary.
    private let owner: Unmanaged<AnyObject>

    /// - Parameter dictionary: Has to live as long as this is used.
    init(_ dictionary: Dictionary) {
        composite = PackedComposite(UnsafeRawBufferPointer(start: nil, count: 0))
        owner = .passUnretained(dictionary)
    }

    /// - Parameters:
    ///   - composite: The bytes, at least one.
    ///   - layout: Has to live as long as this is used.
    init(_ composite: PackedComposite, _ layout: StructLayout) {
        self.composite = composite
        owner = .passUnretained(layout)
    }

    /// Reads from the layout or from the dictionary.
    @inline(__always)
    private func read<Result>(
        _ packed: (StructLayout) -> Result, _ elements: ([String: Any]) -> Result
    ) -> Result {
        owner._withUnsafeGuaranteedRef { owner in
            composite.hasBytes
                ? packed(unsafeDowncast(owner, to: StructLayout.self))
                : elements(unsafeDowncast(owner, to: Dictionary.self).elements)
        }
    }

    /// The value of an element as the engine gives it to applications.
    func stored<Key: CodingKey>(_ key: Key) -> Any? {
        read { layout in
            layout.leaf(of: key).flatMap { leaf in
                composite.place(ofLeaf: leaf).flatMap { layout.leaves[leaf].any(fromStored: composite.value(at: $0)) }
            }
        } _: { elements in
            elements[ElementName.of(key)]
        }
    }

    func contains<Key: CodingKey>(_ key: Key) -> Bool {
        read { layout in
            layout.leaf(of: key).flatMap(composite.place(ofLeaf:)) != nil
        } _: { elements in
            elements[ElementName.of(key)] != nil
        }
    }

    var names: [String] {
        read { layout in
            layout.leaves.indices.filter { composite.place(ofLeaf: $0) != nil }.map { layout.names[$0] }
        } _: { elements in
            Array(elements.keys)
        }
    }

    /// What an element has, as a type that the bytes have as it is; `nil` where it has to be converted.
    @inline(__always)
    func plain<Key: CodingKey, Value>(
        _ key: Key, _ read: (PackedComposite, Int) -> Value?
    ) -> Value? {
        self.read { layout in
            guard let leaf = layout.leaf(of: key), let place = composite.place(ofLeaf: leaf) else { return nil }
            return read(composite, place)
        } _: { elements in
            elements[ElementName.of(key)] as? Value
        }
    }
}
