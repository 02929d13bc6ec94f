import CoreData
import Foundation
import TestSupport
import Testing

/// Overrides every method and property that can be overridden on Apple's systems.
class Watched: NSManagedObject {
    static var ran = Ran()

    override class func entity() -> NSEntityDescription { note(super.entity()) }
    override class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> { note(super.fetchRequest()) }
    override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool {
        note(super.contextShouldIgnoreUnmodeledPropertyChanges)
    }
    override var entity: NSEntityDescription { note(super.entity) }
    override var managedObjectContext: NSManagedObjectContext? { note(super.managedObjectContext) }
    override var objectID: NSManagedObjectID { note(super.objectID) }
    override var isInserted: Bool { note(super.isInserted) }
    override var isUpdated: Bool { note(super.isUpdated) }
    override var isDeleted: Bool { note(super.isDeleted) }
    override var hasChanges: Bool { note(super.hasChanges) }
    override var hasPersistentChangedValues: Bool { note(super.hasPersistentChangedValues) }
    override var isFault: Bool { note(super.isFault) }
    override var faultingState: Int { note(super.faultingState) }
    override func awakeFromInsert() { note(super.awakeFromInsert()) }
    override func awakeFromFetch() { note(super.awakeFromFetch()) }
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { note(super.awake(fromSnapshotEvents: flags)) }
    override func prepareForDeletion() { note(super.prepareForDeletion()) }
    override func willSave() { note(super.willSave()) }
    override func didSave() { note(super.didSave()) }
    override func willTurnIntoFault() { note(super.willTurnIntoFault()) }
    override func didTurnIntoFault() { note(super.didTurnIntoFault()) }
    override func validateForInsert() throws { try note(super.validateForInsert()) }
    override func validateForUpdate() throws { try note(super.validateForUpdate()) }
    override func validateForDelete() throws { try note(super.validateForDelete()) }
    override func value(forKey key: String) -> Any? { note(super.value(forKey: key)) }
    override func setValue(_ value: Any?, forKey key: String) { note(super.setValue(value, forKey: key)) }
    override func value(forUndefinedKey key: String) -> Any? { note(super.value(forUndefinedKey: key)) }
    override func setValue(_ value: Any?, forUndefinedKey key: String) {
        note(super.setValue(value, forUndefinedKey: key))
    }
    override func value(forKeyPath keyPath: String) -> Any? { note(super.value(forKeyPath: keyPath)) }
    override func setValue(_ value: Any?, forKeyPath keyPath: String) {
        note(super.setValue(value, forKeyPath: keyPath))
    }
    override func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        note(super.dictionaryWithValues(forKeys: keys))
    }
    override func setValuesForKeys(_ keyedValues: [String: Any]) { note(super.setValuesForKeys(keyedValues)) }
    override func mutableSetValue(forKey key: String) -> NSMutableSet { note(super.mutableSetValue(forKey: key)) }
    override func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        note(super.mutableOrderedSetValue(forKey: key))
    }
    override func primitiveValue(forKey key: String) -> Any? { note(super.primitiveValue(forKey: key)) }
    override func setPrimitiveValue(_ value: Any?, forKey key: String) {
        note(super.setPrimitiveValue(value, forKey: key))
    }
    override func willAccessValue(forKey key: String?) { note(super.willAccessValue(forKey: key)) }
    override func didAccessValue(forKey key: String?) { note(super.didAccessValue(forKey: key)) }
    override func willChangeValue(forKey key: String) { note(super.willChangeValue(forKey: key)) }
    override func didChangeValue(forKey key: String) { note(super.didChangeValue(forKey: key)) }
    override func changedValues() -> [String: Any] { note(super.changedValues()) }
    override func changedValuesForCurrentEvent() -> [String: Any] { note(super.changedValuesForCurrentEvent()) }
    override func committedValues(forKeys keys: [String]?) -> [String: Any] {
        note(super.committedValues(forKeys: keys))
    }
    override func hasFault(forRelationshipNamed key: String) -> Bool { note(super.hasFault(forRelationshipNamed: key)) }
    override func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        note(super.objectIDs(forRelationshipNamed: key))
    }

    private func note<T>(_ value: @autoclosure () throws -> T, _ name: String = #function) rethrows -> T {
        Watched.ran.note(name)
        return try value()
    }

    private class func note<T>(_ value: @autoclosure () throws -> T, _ name: String = #function) rethrows -> T {
        ran.note(name)
        return try value()
    }
}

/// Hears which keys change.
class Listening: NSManagedObject {
    static var heard: [String] = []

    override func willChangeValue(forKey key: String) {
        super.willChangeValue(forKey: key)
        Listening.heard.append("will \(key)")
    }

    override func didChangeValue(forKey key: String) {
        super.didChangeValue(forKey: key)
        Listening.heard.append("did \(key)")
        if key == "label" { setValue("\(value(forKey: "label") ?? "")!", forKey: "shown") }
    }

    static let label = ManagedProperty<String?>("label")
    var label: String? {
        get { self[Listening.label] }
        set { self[Listening.label] = newValue }
    }
}

final class Upper: NSManagedObject {
    override func setPrimitiveValue(_ value: Any?, forKey key: String) {
        super.setPrimitiveValue((value as? String)?.uppercased() ?? value, forKey: key)
    }
}

/// Classes of objects that override what they can.
@Suite(.serialized) struct ObjectOverridesTests {
    private func stack(_ type: NSManagedObject.Type) throws -> TestStack {
        let node = NSEntityDescription()
        node.name = "Node"
        node.managedObjectClassName = NSStringFromClass(type)
        node.properties = [
            LibraryModel.attribute("label", .stringAttributeType),
            LibraryModel.attribute("shown", .stringAttributeType),
            LibraryModel.relationship("parent", to: node, rule: .nullifyDeleteRule),
            LibraryModel.relationship("children", to: node, toMany: true, rule: .nullifyDeleteRule),
            LibraryModel.relationship("next", to: node, toMany: true, ordered: true, rule: .nullifyDeleteRule),
        ]
        LibraryModel.pair(node, "parent", node, "children")
        let model = NSManagedObjectModel()
        model.entities = [node]
        return try TestStack(model: model)
    }

    @Test func everyOverrideRuns() throws {
        let stack = try stack(Watched.self)
        let ran = Ran()
        Watched.ran = ran
        try stack.inContext { context in
            _ = Watched.entity()
            let request: NSFetchRequest<any NSFetchRequestResult> = Watched.fetchRequest()
            _ = Watched.contextShouldIgnoreUnmodeledPropertyChanges
            let node = Watched(context: context)
            node.setValue("a", forKey: "label")
            try context.save()
            node.setValuesForKeys(["label": "b"])
            node.setValue("c", forKeyPath: "label")
            node.setValue(1, forUndefinedKey: "none")
            #expect(throws: CocoaError.self) { try context.save() }
            _ = (node.entity, node.managedObjectContext, node.objectID, node.isInserted, node.isUpdated)
            _ = (node.isDeleted, node.hasChanges, node.hasPersistentChangedValues, node.isFault, node.faultingState)
            _ = (node.value(forKeyPath: "label"), node.value(forKey: "nothing"))
            _ = node.dictionaryWithValues(forKeys: ["label"])
            _ = (node.mutableSetValue(forKey: "children"), node.mutableOrderedSetValue(forKey: "next"))
            node.willAccessValue(forKey: "label")
            _ = node.primitiveValue(forKey: "label")
            node.didAccessValue(forKey: "label")
            _ = (node.changedValues(), node.changedValuesForCurrentEvent(), node.committedValues(forKeys: nil))
            _ = (node.hasFault(forRelationshipNamed: "children"), node.objectIDs(forRelationshipNamed: "children"))
            try context.save()
            context.refresh(node, mergeChanges: false)
            #expect(try context.fetch(request).count == 1)
            _ = node.value(forKey: "label")
            node.setValue("d", forKey: "label")
            context.rollback()
            context.delete(node)
            try context.save()
        }
        let missing = Self.members.subtracting(ran.names)
        #expect(missing.isEmpty, "\(missing)")
    }

    private static let members: Set<String> = [
        "entity()", "fetchRequest()", "contextShouldIgnoreUnmodeledPropertyChanges", "entity", "managedObjectContext",
        "objectID", "isInserted", "isUpdated", "isDeleted", "hasChanges", "hasPersistentChangedValues", "isFault",
        "faultingState", "awakeFromInsert()", "awakeFromFetch()", "awake(fromSnapshotEvents:)", "prepareForDeletion()",
        "willSave()", "didSave()", "willTurnIntoFault()", "didTurnIntoFault()", "validateForInsert()",
        "validateForUpdate()", "validateForDelete()", "value(forKey:)", "setValue(_:forKey:)",
        "value(forUndefinedKey:)", "setValue(_:forUndefinedKey:)", "value(forKeyPath:)", "setValue(_:forKeyPath:)",
        "dictionaryWithValues(forKeys:)", "setValuesForKeys(_:)", "mutableSetValue(forKey:)",
        "mutableOrderedSetValue(forKey:)", "primitiveValue(forKey:)", "setPrimitiveValue(_:forKey:)",
        "willAccessValue(forKey:)", "didAccessValue(forKey:)", "willChangeValue(forKey:)", "didChangeValue(forKey:)",
        "changedValues()", "changedValuesForCurrentEvent()", "committedValues(forKeys:)",
        "hasFault(forRelationshipNamed:)", "objectIDs(forRelationshipNamed:)",
    ]

    @Test func everyWayToChangeAPropertyIsHeard() throws {
        let stack = try stack(Listening.self)
        try stack.inContext { context in
            let node = Listening(context: context)
            let child = Listening(context: context)
            Listening.heard = []
            node.label = "a"
            #expect(Listening.heard == ["will label", "did label", "will shown", "did shown"])
            #expect(node.value(forKey: "shown") as? String == "a!")
            Listening.heard = []
            child.setValue(node, forKey: "parent")
            #expect(Set(Listening.heard) == ["will parent", "did parent", "will children", "did children"])
            Listening.heard = []
            node.mutableSetValue(forKey: "children").remove(child)
            #expect(Set(Listening.heard) == ["will parent", "did parent", "will children", "did children"])
            #expect(child.value(forKey: "parent") == nil)
            Listening.heard = []
            node.mutableOrderedSetValue(forKey: "next").add(child)
            #expect(Listening.heard == ["will next", "did next"])
            try context.save()
        }
        #expect(try stack.sqlite("SELECT group_concat(ZSHOWN) FROM ZNODE WHERE ZSHOWN NOT NULL") == "a!")
    }

    @Test func undoingMembersThatCameReadsNoOthers() throws {
        let stack = try stack(Listening.self)
        try stack.inContext { context in
            let node = Listening(context: context)
            for _ in 0..<3 { Listening(context: context).setValue(node, forKey: "parent") }
            try context.save()
            context.refreshAllObjects()
            context.undoManager = UndoManager()
            Listening(context: context).setValue(node, forKey: "parent")
            #expect(node.hasFault(forRelationshipNamed: "children"))
            context.undo()
            #expect(node.hasFault(forRelationshipNamed: "children"))
            context.redo()
            #expect((node.value(forKey: "children") as? Set<NSManagedObject>)?.count == 4)
            // What an application announces itself is recorded as a whole.
            node.willChangeValue(forKey: "children")
            node.setPrimitiveValue(NSSet(), forKey: "children")
            node.didChangeValue(forKey: "children")
            context.processPendingChanges()
            context.undo()
            #expect((node.value(forKey: "children") as? Set<NSManagedObject>)?.count == 4)
        }
    }

    @Test func settingByKeySetsThePrimitiveValue() throws {
        let stack = try stack(Upper.self)
        try stack.inContext { context in
            let node = Upper(context: context)
            node.setValue("a", forKey: "label")
            #expect(node.value(forKey: "label") as? String == "A")
            try context.save()
            node.setValue("b", forKey: "label")
            #expect(context.updatedObjects == [node])
            try context.save()
        }
        #expect(try stack.sqlite("SELECT ZLABEL FROM ZNODE") == "B")
    }
}
