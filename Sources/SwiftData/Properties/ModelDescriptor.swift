import CoreDataEngine
@_spi(ObservableRerootKeyPath) import Swift
import Synchronization

/// What is known of a model class: its properties' slots, key paths and initial values.
// @unchecked Sendable because nothing in it changes once it is made; the initial values are only read.
final class ModelDescriptor: @unchecked Sendable {
    private static let known = Mutex<[ObjectIdentifier: ModelDescriptor]>([:])

    let slots: [AnyModelSlot]
    /// As the accessors have them: those of inherited properties are the superclass's.
    let keyPaths: [String: AnyKeyPath]
    /// As programs write them for this class, inherited or not.
    let ownKeyPaths: [String: AnyKeyPath]
    let initialValues: [String: Any]
    let type: any PersistentModel.Type
    let entityName: String
    private let byName: [String: AnyModelSlot]
    private let byKeyPath: [AnyKeyPath: AnyModelSlot]

    static func of(_ type: any PersistentModel.Type) -> ModelDescriptor {
        let key = ObjectIdentifier(type)
        if let found = known.withLock({ $0[key] }) { return found }
        let made = ModelDescriptor(type)
        return known.withLock { known in
            if let found = known[key] { return found }
            known[key] = made
            return made
        }
    }

    private init(_ type: any PersistentModel.Type) {
        var slots: [AnyModelSlot] = []
        var keyPaths: [String: AnyKeyPath] = [:]
        var ownKeyPaths: [String: AnyKeyPath] = [:]
        var initialValues: [String: Any] = [:]
        var byKeyPath: [AnyKeyPath: AnyModelSlot] = [:]
        for property in type.schemaMetadata {
            guard let keyPath = property.keypath else { continue }
            let valueType = Swift.type(of: keyPath).valueType
            guard let slot = Self.slot(property, valueType) else { continue }
            slots.append(slot)
            keyPaths[property.name] = keyPath
            byKeyPath[keyPath] = slot
            let ownKeyPath = Self.keyPath(keyPath, of: type)
            ownKeyPaths[property.name] = ownKeyPath
            byKeyPath[ownKeyPath] = slot
            initialValues[property.name] = property.defaultValue
        }
        self.type = type
        entityName = Schema.entityName(ofType: type)
        // Attributes first: a relationship brings in models that may refer to this one.
        self.slots = slots.filter { !$0.isRelationship } + slots.filter(\.isRelationship)
        self.keyPaths = keyPaths
        self.ownKeyPaths = ownKeyPaths
        self.initialValues = initialValues
        self.byKeyPath = byKeyPath
        byName = Dictionary(slots.map { ($0.name, $0) }) { _, last in last }
    }

    /// The key path of a property as that of a class: `\Animal.name` as `\Dog.name`.
    static func keyPath(_ keyPath: AnyKeyPath, of type: any PersistentModel.Type) -> AnyKeyPath {
        func open<Model: PersistentModel>(_ type: Model.Type) -> AnyKeyPath { _rerootKeyPath(keyPath, to: type) }
        return Swift.type(of: keyPath).rootType == type ? keyPath : open(type)
    }

    private static func slot(_ property: Schema.PropertyMetadata, _ type: Any.Type) -> AnyModelSlot? {
        let attribute = property.metadata as? Schema.Attribute
        if attribute?.isTransformable == true { return SlotFactory.transformable(property.name, of: type) }
        if attribute?.isCodable == true { return SlotFactory.codable(property.name, of: type) }
        if attribute?.isTransient == true { return SlotFactory.ephemeral(property.name, of: type) }
        return SlotFactory.slot(property.name, of: type)
    }

    /// A model of the class, known as an object only.
    func model(_ object: AnyObject) -> (any PersistentModel)? {
        func open<Model: PersistentModel>(_ type: Model.Type) -> any PersistentModel {
            unsafeDowncast(object, to: Model.self)
        }
        let type: any PersistentModel.Type = type
        guard ObjectIdentifier(Swift.type(of: object)) == ObjectIdentifier(type) else {
            return object as? any PersistentModel
        }
        return open(type)
    }

    func slot(named name: String) -> AnyModelSlot? { byName[name] }

    /// The slot of a key path.
    func slot<Root, Value>(of keyPath: KeyPath<Root, Value>) -> ModelSlot<Value> {
        // Accessors that are written by hand may have key paths of their own.
        let known = byKeyPath[keyPath] ?? KeyPathRecorder.name(of: keyPath, type).flatMap { byName[$0] }
        guard let slot = known as? ModelSlot<Value> else {
            programmerError("The key path \(keyPath) isn't a persisted property of its class.")
        }
        return slot
    }
}

/// Notes which property a key path reads, from a model that has no values.
enum KeyPathRecorder {
    @TaskLocal static var recording: Recording?

    /// What was read. On one thread only.
    final class Recording: @unchecked Sendable { var names: [String] = [] }

    /// Notes a name; false where nothing is recorded.
    static func record(_ name: String) -> Bool {
        guard let recording else { return false }
        recording.names.append(name)
        return true
    }

    /// The property that a key path of a model reads, as one that is inherited.
    static func name(of keyPath: AnyKeyPath, _ type: any PersistentModel.Type) -> String? {
        func open<Model: PersistentModel>(_ type: Model.Type) -> String? {
            let recording = Recording()
            let model = type.init(backingData: ModelBackingData<Model.Root>(ModelStorage(of: type)))
            $recording.withValue(recording) { _ = model[keyPath: keyPath as AnyKeyPath] }
            return recording.names.count == 1 ? recording.names[0] : nil
        }
        return open(type)
    }
}
