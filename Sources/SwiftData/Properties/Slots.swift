import CoreDataEngine
import Synchronization

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
final class OptionalSlot<Wrapped>: ModelSlot<Wrapped?>, @unchecked Sendable {
    private let inner: ModelSlot<Wrapped>

    init(_ inner: ModelSlot<Wrapped>) {
        self.inner = inner
        super.init(inner.name)
    }

    override func load(_ object: BackedObject, _ storage: ModelStorage) -> Wrapped?? {
        .some(inner.load(object, storage))
    }

    override func store(_ value: Wrapped?, _ object: BackedObject, _ storage: ModelStorage) {
        if let value { inner.store(value, object, storage) } else { inner.clear(object) }
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
        guard let found = NSManagedObject.readOptional(object, property) else { return nil }
        guard let destination = BackedObject.of(found) else { return nil }
        return storage.context?.model(of: destination, as: Model.self)
    }

    override func store(_ value: Model, _ object: BackedObject, _ storage: ModelStorage) {
        NSManagedObject.writeOptional(storage.context?.object(of: value), object, property)
    }

    override func clear(_ object: BackedObject) { NSManagedObject.writeOptional(nil, object, property) }

    override func models(in value: Any) -> [any PersistentModel] { (value as? Model).map { [$0] } ?? [] }
}

/// An enumeration with a raw value, or one without payload: elements of a composite attribute.
final class EnumSlot<Enumeration>: ModelSlot<Enumeration>, @unchecked Sendable {
    private let property: ManagedProperty<Any>
    private let coding: EnumCoding<Enumeration>
    /// The bytes of the composite for each case, so that a value needs no dictionary; nil where cases have payloads.
    private let cases: CaseBytes?

    init(_ name: String, _ coding: EnumCoding<Enumeration>) {
        property = ManagedProperty(name)
        self.coding = coding
        cases = EnumSlots.caseNames(of: Enumeration.self) == nil ? nil : CaseBytes()
        super.init(name)
    }

    override func load(_ object: BackedObject, _ storage: ModelStorage) -> Enumeration? {
        guard let cases, let bytes = object.packedValue(property) else { return decoded(object) }
        if let index = cases.index(of: bytes) { return EnumSlots.value(at: index) }
        guard let value = decoded(object) else { return nil }
        if let index = EnumSlots.index(of: value) { cases.note(index, bytes) }
        return value
    }

    private func decoded(_ object: BackedObject) -> Enumeration? {
        guard let elements = object.transformedValue(property) as? [String: Any] else { return nil }
        return coding.value(elements, name)
    }

    override func store(_ value: Enumeration, _ object: BackedObject, _ storage: ModelStorage) {
        guard let cases, let index = EnumSlots.index(of: value) else {
            return object.setTransformedValue(coding.elements(value, name), property)
        }
        if let bytes = cases.bytes(of: index), object.setPackedValue(bytes, property) { return }
        let elements = coding.elements(value, name)
        if let bytes = object.packing(elements, property) {
            cases.note(index, bytes)
            if object.setPackedValue(bytes, property) { return }
        }
        object.setTransformedValue(elements, property)
    }

    override func clear(_ object: BackedObject) { object.setTransformedValue(nil, property) }
}

/// The bytes that composites have for the cases of an enumeration, as they are met.
private final class CaseBytes: Sendable {
    private let indexes = Mutex<[Data: Int]>([:])
    private let known = Mutex<[Int: Data]>([:])

    func index(of bytes: Data) -> Int? { indexes.withLock { $0[bytes] } }

    func bytes(of index: Int) -> Data? { known.withLock { $0[index] } }

    func note(_ index: Int, _ bytes: Data) {
        indexes.withLock { $0[bytes] = index }
        known.withLock { $0[index] = bytes }
    }
}

/// A structure: elements of a composite attribute.
final class StructSlot<Structure: Codable>: ModelSlot<Structure>, @unchecked Sendable {
    private let property: ManagedProperty<Any>
    private let isOptional: Bool

    init(_ name: String, isOptional: Bool) {
        property = ManagedProperty(name)
        self.isOptional = isOptional
        super.init(name)
    }

    override func load(_ object: BackedObject, _ storage: ModelStorage) -> Structure? {
        let elements = object.transformedValue(property) as? [String: Any] ?? [:]
        if elements.isEmpty && isOptional { return nil }
        return try? ElementDecoder.decode(Structure.self, elements)
    }

    override func store(_ value: Structure, _ object: BackedObject, _ storage: ModelStorage) {
        do {
            object.setTransformedValue(try ElementEncoder.encode(value), property)
        } catch {
            storage.context?.refuse(error)
        }
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
        } catch {
            storage.context?.refuse(error)
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
