import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What each merge policy makes of a row that one context deleted and another one changed: the cells of the table in
/// the guide about concurrency.
@Suite(.serialized) struct DeletionConflictTests {
    static let policies: [NSMergePolicyType] = [
        .errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
        .overwriteMergePolicyType, .rollbackMergePolicyType,
    ]

    private struct Outcome {
        var error: Int?
        /// What did-save announced as saved.
        var announced = 0
        var isGone = false
        /// The titles of the boxes that are stored, and the keys of the items, each with its owner's title.
        var boxes: [String] = []
        var items: [String] = []
    }

    /// Lets two contexts read the box `a` with the item 1; they change it, and the other one saves first.
    private func outcome(
        _ type: String, _ policy: NSMergePolicyType, rule: NSDeleteRule = .nullifyDeleteRule,
        ours: (NSManagedObject, NSManagedObject, NSManagedObjectContext) throws -> Void,
        theirs: (NSManagedObject, NSManagedObject, NSManagedObjectContext) throws -> Void
    ) throws -> Outcome {
        let stack = try TestStack(model: BoxModel.make(rule: rule), type: type)
        let (mine, other) = (stack.context(), stack.context())
        let (boxID, itemID) = try stack.inContext { context throws in
            let (box, item) = (context.box("a"), context.item(1))
            item.setValue(box, forKey: "owner")
            try context.save()
            return (box.objectID, item.objectID)
        }
        var outcome = Outcome()
        try mine.performAndWait {
            mine.mergePolicy = NSMergePolicy(merge: policy)
            let (box, item) = (mine.object(with: boxID), mine.object(with: itemID))
            #expect(box.value(forKey: "title") as? String == "a" && item.value(forKey: "key") as? Int == 1)
            try other.performAndWait {
                try theirs(other.object(with: boxID), other.object(with: itemID), other)
                try other.save()
            }
            try ours(box, item, mine)
            let log = NotificationLog(mine)
            do {
                try mine.save()
                #expect(!mine.hasChanges)
            } catch let error as CocoaError {
                outcome.error = error.code.rawValue
                #expect(mine.hasChanges && log.entries(.NSManagedObjectContextDidSave).isEmpty)
                let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
                #expect(conflicts?.isEmpty == false)
            }
            outcome.announced = log.entries(.NSManagedObjectContextDidSave).reduce(0) {
                $0 + $1.objects(NSInsertedObjectsKey).union($1.objects(NSUpdatedObjectsKey)).count
            }
            outcome.isGone = box.managedObjectContext == nil
        }
        try stack.inContext { context throws in
            let boxes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box"))
            outcome.boxes = boxes.compactMap { $0.value(forKey: "title") as? String }.sorted()
            let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
            outcome.items = items.map { item in
                let owner = item.value(forKey: "owner") as? NSManagedObject
                #expect(owner == nil || boxes.contains { $0 === owner }, "the owner of an item is missing")
                return "\(item.value(forKey: "key") ?? "") \(owner?.value(forKey: "title") ?? "-")"
            }.sorted()
        }
        if type == NSSQLiteStoreType, stack.isFile {
            #expect(try StoreChecker.findings(inStoreAt: stack.url, model: BoxModel.make(rule: rule)).isEmpty)
        }
        return outcome
    }

    @Test(arguments: BoxModel.storeTypes, policies)
    func aChangeOfARowThatOthersDeleted(type: String, policy: NSMergePolicyType) throws {
        let outcome = try outcome(type, policy) { box, _, _ in
            box.setValue("ours", forKey: "title")
        } theirs: { box, _, context in
            context.delete(box)
        }
        switch policy {
        case .errorMergePolicyType:
            #expect(outcome.error == NSManagedObjectMergeError && outcome.boxes == [] && !outcome.isGone)
        case .overwriteMergePolicyType:
            #expect(outcome.error == nil && outcome.boxes == ["ours"] && outcome.announced == 1 && !outcome.isGone)
        default:
            #expect(outcome.error == nil && outcome.boxes == [] && outcome.announced == 0 && outcome.isGone)
        }
    }

    @Test(arguments: BoxModel.storeTypes, policies)
    func aDeletionOfARowThatOthersChanged(type: String, policy: NSMergePolicyType) throws {
        let outcome = try outcome(type, policy) { box, _, context in
            context.delete(box)
        } theirs: { box, _, _ in
            box.setValue("theirs", forKey: "title")
        }
        switch policy {
        case .errorMergePolicyType:
            #expect(outcome.error == NSManagedObjectMergeError && outcome.boxes == ["theirs"])
        case .overwriteMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType:
            #expect(outcome.error == nil && outcome.boxes == [] && outcome.items == ["1 -"] && outcome.isGone)
        default:
            #expect(outcome.error == nil && outcome.boxes == ["theirs"] && !outcome.isGone)
        }
    }

    @Test(arguments: BoxModel.storeTypes, policies)
    func aDeletionOfARowThatOthersDeleted(type: String, policy: NSMergePolicyType) throws {
        let outcome = try outcome(type, policy) { box, _, context in
            context.delete(box)
        } theirs: { box, item, context in
            context.delete(box)
            context.delete(item)
        }
        #expect(outcome.error == nil && outcome.boxes == [] && outcome.items == [] && outcome.isGone)
        let alone = try self.outcome(type, policy) { _, item, context in
            context.delete(item)
        } theirs: { _, item, context in
            context.delete(item)
        }
        #expect(alone.items == [])
    }

    /// The new item isn't linked to what is gone.
    @Test(arguments: BoxModel.storeTypes, policies)
    func aLinkToARowThatOthersDeleted(type: String, policy: NSMergePolicyType) throws {
        let outcome = try outcome(type, policy) { box, _, context in
            context.item(2).setValue(box, forKey: "owner")
        } theirs: { box, _, context in
            context.delete(box)
        }
        switch policy {
        case .errorMergePolicyType:
            #expect(outcome.error == NSManagedObjectMergeError && outcome.items == ["1 -"])
        case .overwriteMergePolicyType:
            #expect(outcome.error == nil && outcome.boxes == ["a"] && outcome.items == ["1 -", "2 a"])
        default:
            #expect(outcome.error == nil && outcome.boxes == [] && outcome.items == ["1 -", "2 -"])
        }
    }

    /// The delete rule reaches what others linked since the object was read.
    @Test(arguments: BoxModel.storeTypes, policies)
    func aDeletionOfARowThatOthersLinkedTo(type: String, policy: NSMergePolicyType) throws {
        for rule in [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule] {
            let outcome = try outcome(type, policy, rule: rule) { box, _, context in
                context.delete(box)
                context.processPendingChanges()
            } theirs: { box, _, context in
                context.item(2).setValue(box, forKey: "owner")
            }
            switch policy {
            case .errorMergePolicyType:
                #expect(outcome.error == NSManagedObjectMergeError && outcome.items == ["1 a", "2 a"])
            case .overwriteMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType:
                #expect(outcome.error == nil && outcome.boxes == [])
                #expect(outcome.items == (rule == .cascadeDeleteRule ? [] : ["1 -", "2 -"]))
            default:
                #expect(outcome.error == nil && outcome.boxes == ["a"])
            }
        }
    }

    @Test(arguments: policies, [false, true])
    func aChildsChangeOfWhatTheParentDeleted(policy: NSMergePolicyType, isSaved: Bool) throws {
        let stack = try TestStack(model: BoxModel.make())
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        child.mergePolicy = NSMergePolicy(merge: policy)
        let id = try parent.performAndWait {
            let box = parent.box("a")
            try parent.save()
            return box.objectID
        }
        try child.performAndWait {
            let box = child.object(with: id)
            #expect(box.value(forKey: "title") as? String == "a")
            try parent.performAndWait {
                parent.delete(parent.object(with: id))
                if isSaved { try parent.save() }
            }
            box.setValue("ours", forKey: "title")
            child.item(1).setValue(box, forKey: "owner")
            if policy == .errorMergePolicyType {
                let error = #expect(throws: CocoaError.self) { try child.save() }
                #expect(error?.code.rawValue == NSManagedObjectMergeError && child.hasChanges)
                child.rollback()
            } else {
                try child.save()
                #expect((box.managedObjectContext == nil) == (policy != .overwriteMergePolicyType))
            }
        }
        try parent.performAndWait { try parent.save() }
        try stack.inContext { context in
            let boxes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box"))
            let isWritten = policy == .overwriteMergePolicyType
            #expect(boxes.map { $0.value(forKey: "title") as? String } == (isWritten ? ["ours"] : []))
            #expect(try context.storedKeys() == (policy == .errorMergePolicyType ? [] : [1]))
            #expect(try context.storedKeys("owner != nil") == (isWritten ? [1] : []))
        }
    }

    /// A new object with the unique value of a row that others deleted is a new row under each policy.
    @Test(arguments: [NSInMemoryStoreType, NSSQLiteStoreType], policies)
    func anInsertInPlaceOfARowThatOthersDeleted(type: String, policy: NSMergePolicyType) throws {
        let stack = try TestStack(type: type)
        let id = try stack.inContext { context throws in
            let label = Label(context: context)
            label.name = "unique"
            try context.save()
            return label.objectID
        }
        try stack.inContext { context throws in
            context.mergePolicy = NSMergePolicy(merge: policy)
            #expect((context.object(with: id) as? Label)?.name == "unique")
            try stack.inContext { other in
                other.delete(other.object(with: id))
                try other.save()
            }
            let label = Label(context: context)
            label.name = "unique"
            try context.save()
            #expect(label.objectID != id)
        }
        try stack.inContext { context throws in
            #expect(try context.fetch(NSFetchRequest<Label>(entityName: "Label")).map(\.name) == ["unique"])
        }
    }
}
