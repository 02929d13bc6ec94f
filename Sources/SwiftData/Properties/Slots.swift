import CoreDataEngine

/// A value that the engine's rows hold as it is.
class ScalarSlot<Scalar: OptionalManagedValue>: ModelSlot<Scalar>, @unchecked Sendable {
    final let property: ManagedProperty<Scalar?>

    override init(_ name: String) {
        property = ManagedProperty(name)
        super.init(name)
    }

    override func load(_ object: BackedObject, _ storage: ModelStorage) -> Scalar? {
        Scalar.readOptional(object, property)
    }

    override func store(_ value: Scalar, _ object: BackedObject, _ storage: ModelStorage) {
        Scalar.writeOptional(value, object, property)
    }

    override func clear(_ object: BackedObject) { Scalar.writeOptional(nil, object, property) }
}

/// An integer that the engine's rows hold in a signed one, by its bits.
final class IntegerSlot<Integer: FixedWidthInteger>: ModelSlot<Integer>, @unchecked Sendable {
    private let property: ManagedProperty<Int64?>

    override init(_ name: String) {
        property = ManagedProperty(name)
        super.init(name)
    }

    override func load(_ object: BackedObject, _ storage: ModelStorage) -> Integer? {
        Int64.readOptional(object, property).map { Integer(truncatingIfNeeded: $0) }
    }

    override func store(_ value: Integer, _ object: BackedObject, _ storage: ModelStorage) {
        let width = ScalarTypes.type(of: Integer.self)
        // A column of 16 or 32 bits has the bits of the value.
        let stored: Int64 =
            switch width {
            case .integer16: Int64(Int16(truncatingIfNeeded: value))
            case .integer32: Int64(Int32(truncatingIfNeeded: value))
            default: Int64(truncatingIfNeeded: value)
            }
        Int64.writeOptional(stored, object, property)
    }

    override func clear(_ object: BackedObject) { Int64.writeOptional(nil, object, property) }
}

/// A property whose type is optional.
class OptionalSlot<Wrapped>: ModelSlot<Wrapped?>, @unchecked Sendable {
    private let inner: ModelSlot<Wrapped>

    init(_ inner: ModelSlot<Wrapped>) {
        self.inner = inner
        super.init(inner.name)
    }

    override func _read(_ storage: ModelStorage) -> Wrapped? {
        guard let object = storage.object else { return super._read(storage) }
        return inner.load(object, storage)
    }

    override func load(_ object: BackedObject, _ storage: ModelStorage) -> Wrapped?? {
        .some(inner.load(object, storage))
    }

    override func store(_ value: Wrapped?, _ object: BackedObject, _ storage: ModelStorage) {
        if let value { inner.store(value, object, storage) } else { inner.clear(object) }
    }

    override var isRelationship: Bool { inner.isRelationship }
    override var isToMany: Bool { inner.isToMany }

    override func value(of models: [any PersistentModel]) -> Wrapped?? { .some(inner.value(of: models)) }

    override func transfer(_ value: Any, to object: BackedObject, _ storage: ModelStorage) {
        guard inner.isRelationship else { return super.transfer(value, to: object, storage) }
        if let value = value as? Wrapped { inner.transfer(value, to: object, storage) }
    }

    override func models(in value: Any) -> [any PersistentModel] {
        guard let value = value as? Wrapped else { return [] }
        return inner.models(in: value)
    }

    override func take(_ storage: ModelStorage) -> Wrapped? {
        storage.object == nil ? _read(storage) : inner.load(of: storage, forChange: true)
    }

    override func put(_ value: Wrapped?, _ storage: ModelStorage) {
        if let value, storage.object != nil { inner.put(value, storage) } else { write(value, storage) }
    }
}

/// A to-one.
final class ToOneSlot<Model: PersistentModel>: ModelSlot<Model>, @unchecked Sendable {
    private let property: ManagedProperty<NSManagedObject?>

    override init(_ name: String) {
        property = ManagedProperty(name)
        super.init(name)
    }

    override func load(_ object: BackedObject, _ storage: ModelStorage) -> Model? {
        if let known = known(object) { return known }
        guard let found = NSManagedObject.readOptional(object, property), let destination = BackedObject.of(found)
        else { return nil }
        if let model = destination.liveModel(as: Model.self) { return model }
        guard let model = storage.context?.model(of: destination, as: Model.self) else { return nil }
        storage.keep(model, ofToOne: name)
        return model
    }

    override func _read(_ storage: ModelStorage) -> Model {
        if let object = storage.object {
            if let model = load(object, storage) ?? lastKnown(object, storage) { return model }
            return object._absent(storage.standIn(for: name), name)
        }
        if let model = kept(storage) { return model }
        return storage.isGone ? storage.standIn(for: name) : super._read(storage)
    }

    override func loadAny(_ object: BackedObject, _ storage: ModelStorage) -> Any? {
        load(object, storage) ?? lastKnown(object, storage)
    }

    /// The saved model, which is deleted, if the property has no other.
    private func lastKnown(_ object: BackedObject, _ storage: ModelStorage) -> Model? {
        (object.committedValues(forKeys: [name])[name] as? BackedObject).flatMap {
            storage.context?.model(of: $0, as: Model.self)
        }
    }

    /// The model, if the to-one was walked and the model is there.
    @inline(__always)
    fileprivate func known(_ object: BackedObject) -> Model? {
        object.walkedDestination(property)?._withUnsafeGuaranteedRef { destination in
            BackedObject.of(destination)?.liveModel(as: Model.self)
        }
    }

    override var isRelationship: Bool { true }

    override func value(of models: [any PersistentModel]) -> Model? { models.first as? Model }

    override func optional() -> AnyModelSlot { OptionalToOneSlot(self) }

    override func store(_ value: Model, _ object: BackedObject, _ storage: ModelStorage) {
        NSManagedObject.writeOptional(storage.context?.object(of: value), object, property)
    }

    override func clear(_ object: BackedObject) { NSManagedObject.writeOptional(nil, object, property) }

    override func models(in value: Any) -> [any PersistentModel] { (value as? Model).map { [$0] } ?? [] }
}

/// A to-one that may be missing.
final class OptionalToOneSlot<Model: PersistentModel>: OptionalSlot<Model>, @unchecked Sendable {
    private let toOne: ToOneSlot<Model>

    init(_ toOne: ToOneSlot<Model>) {
        self.toOne = toOne
        super.init(toOne)
    }

    override func _read(_ storage: ModelStorage) -> Model? {
        storage.withObject { toOne.known($0) } ?? super._read(storage)
    }
}

/// An enumeration with a raw value, or one without payload: elements of a composite attribute.
final class EnumSlot<Enumeration>: ModelSlot<Enumeration>, @unchecked Sendable {
    private let property: ManagedProperty<Any>
    private let coding: EnumCoding<Enumeration>
    private let cases = MadeOnce<CaseBytes>()

    init(_ name: String, _ coding: EnumCoding<Enumeration>) {
        property = ManagedProperty(name)
        self.coding = coding
        super.init(name)
    }

    override func load(_ object: BackedObject, _ storage: ModelStorage) -> Enumeration? {
        if let bytes = object.plainBytes(property) {
            if let index = cases(object).index(of: bytes) { return EnumSlots.value(at: index) }
        } else if let data = object.packedValue(property) {
            if let index = data.withUnsafeBytes({ cases(object).index(of: $0) }) { return EnumSlots.value(at: index) }
        }
        return decoded(object)
    }

    /// The bytes that the attribute has for each case, so that a value needs no dictionary.
    private func cases(_ object: BackedObject) -> CaseBytes {
        if let known = cases.load() { return known }
        let count = EnumSlots.caseNames(of: Enumeration.self)?.count ?? 0
        return cases.storeIfNil(
            CaseBytes(
                (0..<count).map { index in
                    let value: Enumeration? = EnumSlots.value(at: index)
                    return value.flatMap { object.packing(coding.elements($0, name), property) }
                }))
    }

    private func decoded(_ object: BackedObject) -> Enumeration? {
        guard let elements = object.transformedValue(property) as? [String: Any] else { return nil }
        return coding.value(elements, name)
    }

    override func store(_ value: Enumeration, _ object: BackedObject, _ storage: ModelStorage) {
        if let index = EnumSlots.index(of: value), let bytes = cases(object).bytes(of: index),
            object.setPackedValue(bytes, property)
        {
            return
        }
        object.setTransformedValue(coding.elements(value, name), property)
    }

    override func clear(_ object: BackedObject) { object.setTransformedValue(nil, property) }
}

/// The bytes that a composite has for the cases of an enumeration; none for one that has payloads.
private final class CaseBytes: Sendable {
    /// Up to so many are compared one after the other.
    private static let mostCompared = 16

    private let known: [Data?]
    private let indexes: [Data: Int]

    init(_ known: [Data?]) {
        self.known = known
        indexes = Dictionary(
            known.enumerated().compactMap { index, bytes in bytes.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    func index(of bytes: UnsafeRawBufferPointer) -> Int? {
        if known.count > Self.mostCompared { return indexes[Data(bytes)] }
        return known.firstIndex { candidate in
            guard let candidate, candidate.count == bytes.count else { return false }
            return candidate.withUnsafeBytes { candidate in
                guard let first = candidate.baseAddress, let second = bytes.baseAddress else { return bytes.isEmpty }
                return memcmp(first, second, bytes.count) == 0
            }
        }
    }

    func bytes(of index: Int) -> Data? { known.indices.contains(index) ? known[index] : nil }
}

/// A structure: elements of a composite attribute.
final class StructSlot<Structure: Codable>: ModelSlot<Structure>, @unchecked Sendable {
    private let property: ManagedProperty<Any>
    private let isOptional: Bool
    private let layout = MadeOnce<StructLayout>()

    init(_ name: String, isOptional: Bool) {
        property = ManagedProperty(name)
        self.isOptional = isOptional
        super.init(name)
    }

    /// Where the elements stand in the bytes; nil for one that has structures as elements.
    private func layout(_ object: BackedObject) -> StructLayout? {
        if let known = layout.load() { return known }
        return object.elements(property).map { layout.storeIfNil(StructLayout($0, of: name)) }
    }

    override func load(_ object: BackedObject, _ storage: ModelStorage) -> Structure? {
        if let layout = layout(object) {
            if let bytes = object.plainBytes(property) { return decoded(bytes, layout) }
            if let data = object.packedValue(property) { return data.withUnsafeBytes { decoded($0, layout) } }
        }
        let elements = object.transformedValue(property) as? [String: Any] ?? [:]
        if elements.isEmpty && isOptional { return nil }
        return try? ElementDecoder.decode(Structure.self, elements)
    }

    private func decoded(_ bytes: UnsafeRawBufferPointer, _ layout: StructLayout) -> Structure? {
        let composite = PackedComposite(bytes)
        if isOptional && composite.isEmpty { return nil }
        return try? ElementDecoder.decode(Structure.self, composite, layout)
    }

    override func store(_ value: Structure, _ object: BackedObject, _ storage: ModelStorage) {
        do {
            defer { storage.context?.accept(object, name) }
            if let bytes = try packed(value, object), object.setPackedValue(bytes, property) { return }
            object.setTransformedValue(try ElementEncoder.encode(value), property)
        } catch {
            storage.context?.refuse(error, object, name)
        }
    }

    /// The bytes of a value; `nil` where they can't have it.
    private func packed(_ value: Structure, _ object: BackedObject) throws -> Data? {
        // A layout that is known is kept for good, so that its reference needn't be counted.
        if let known = layout.loadUncounted() {
            return try known._withUnsafeGuaranteedRef { try ElementEncoder.pack(value, $0) }
        }
        return try layout(object).flatMap { try ElementEncoder.pack(value, $0) }
    }

    override func clear(_ object: BackedObject) { object.setTransformedValue(nil, property) }
}

/// A list of plain values: a keyed archive.
final class ArchivedListSlot<Element>: ModelSlot<[Element]>, @unchecked Sendable {
    private let property: ManagedProperty<Any>

    override init(_ name: String) {
        property = ManagedProperty(name)
        super.init(name)
    }

    override func load(_ object: BackedObject, _ storage: ModelStorage) -> [Element]? {
        guard let list = object.transformedValue(property) else { return nil }
        if let list = list as? [Element] { return list }
        return (list as? NSArray).flatMap { list in
            let values = list.compactMap { ScalarTypes.value($0, as: Element.self) }
            return values.count == list.count ? values : nil
        }
    }

    override func store(_ value: [Element], _ object: BackedObject, _ storage: ModelStorage) {
        object.setTransformedValue(NSArray(array: value.map { ScalarTypes.archived($0) }), property)
    }

    override func clear(_ object: BackedObject) { object.setTransformedValue(nil, property) }
}

/// A value as the JSON of its own coding.
final class JSONSlot<Value: Codable>: ModelSlot<Value>, @unchecked Sendable {
    private let property: ManagedProperty<Data?>

    override init(_ name: String) {
        property = ManagedProperty(name)
        super.init(name)
    }

    override func load(_ object: BackedObject, _ storage: ModelStorage) -> Value? {
        Data.readOptional(object, property).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }

    override func store(_ value: Value, _ object: BackedObject, _ storage: ModelStorage) {
        do {
            Data.writeOptional(try JSONEncoder().encode(value), object, property)
            storage.context?.accept(object, name)
        } catch {
            storage.context?.refuse(error, object, name)
        }
    }

    override func clear(_ object: BackedObject) { Data.writeOptional(nil, object, property) }
}

/// A value that a transformer makes data of.
final class TransformableSlot<Value>: ModelSlot<Value>, @unchecked Sendable {
    private let property: ManagedProperty<Any>

    override init(_ name: String) {
        property = ManagedProperty(name)
        super.init(name)
    }

    override func load(_ object: BackedObject, _ storage: ModelStorage) -> Value? {
        object.transformedValue(property) as? Value
    }

    override func store(_ value: Value, _ object: BackedObject, _ storage: ModelStorage) {
        object.setTransformedValue(value, property)
    }

    override func clear(_ object: BackedObject) { object.setTransformedValue(nil, property) }
}
