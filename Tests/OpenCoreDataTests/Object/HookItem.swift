import Foundation
import OpenCoreData
import TestSupport

/// An object that counts the calls of its life-cycle hooks.
final class HookItem: NSManagedObject {
    static let nameProperty = ManagedProperty<String?>("name")
    static let amountProperty = ManagedProperty<Int64>("amount")

    var calls: [String: Int] = [:]
    /// The flags that `awake(fromSnapshotEvents:)` was called with.
    var snapshotEvents: [NSSnapshotEventType] = []
    /// What `willSave` does, besides counting.
    var inWillSave: ((HookItem) -> Void)?
    /// What `validateValue` throws for the name.
    var nameError: (any Error)?

    var name: String? {
        get { self[HookItem.nameProperty] }
        set { self[HookItem.nameProperty] = newValue }
    }

    var amount: Int64 {
        get { self[HookItem.amountProperty] }
        set { self[HookItem.amountProperty] = newValue }
    }

    private func count(_ hook: String) { calls[hook, default: 0] += 1 }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        count("awakeFromInsert")
        if amount == 7 { count("defaultWasThere") }
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        count("awakeFromFetch")
    }

    override func prepareForDeletion() {
        super.prepareForDeletion()
        count("prepareForDeletion")
    }

    override func willSave() {
        super.willSave()
        count("willSave")
        inWillSave?(self)
    }

    override func didSave() {
        super.didSave()
        count("didSave")
    }

    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        snapshotEvents.append(flags)
        amount = 9
    }

    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        count("willTurnIntoFault")
    }

    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        count("didTurnIntoFault")
    }

    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        if key == "name", let nameError { throw nameError }
        try super.validateValue(&value, forKey: key)
    }

    override func value(forKey key: String) -> Any? {
        key == "shout" ? name?.uppercased() : super.value(forKey: key)
    }

    /// A model with items, their parts, and the rules that validation is tested with.
    static func model() -> NSManagedObjectModel {
        let item = NSEntityDescription()
        item.name = "Item"
        item.managedObjectClassName = NSStringFromClass(HookItem.self)
        let part = NSEntityDescription()
        part.name = "Part"
        let code = LibraryModel.attribute("code", .stringAttributeType)
        code.setValidationPredicates(
            [NSPredicate(format: "length >= 2")], withValidationWarnings: ["The code is too short."])
        let level = LibraryModel.attribute("level", .integer32AttributeType, default: 0)
        level.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["The level is negative."])
        let parts = LibraryModel.relationship("parts", to: part, toMany: true, rule: .nullifyDeleteRule)
        parts.maxCount = 2
        let blob = LibraryModel.attribute("blob", .transformableAttributeType)
        item.properties = [
            LibraryModel.attribute("name", .stringAttributeType),
            LibraryModel.attribute("amount", .integer64AttributeType, default: 7), code, level, blob, parts,
        ]
        part.properties = [
            LibraryModel.attribute("title", .stringAttributeType),
            LibraryModel.relationship("item", to: item, rule: .nullifyDeleteRule),
        ]
        LibraryModel.pair(item, "parts", part, "item")
        let model = NSManagedObjectModel()
        model.entities = [item, part]
        return model
    }
}
