import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Transient attributes with default values: what they are when an object was read, and that it can be saved again.
struct TransientDefaultTests {
    static let storeTypes = [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType]

    private static func model() -> NSManagedObjectModel {
        let card = NSEntityDescription()
        card.name = "Card"
        card.properties = [
            LibraryModel.attribute("title", .stringAttributeType),
            LibraryModel.attribute("isOpen", .booleanAttributeType, optional: false, transient: true, default: true),
            LibraryModel.attribute("state", .stringAttributeType, optional: false, transient: true, default: "idle"),
            LibraryModel.attribute("tags", .transformableAttributeType, transient: true, default: ["a"] as NSArray),
            LibraryModel.attribute("note", .stringAttributeType, transient: true),
        ]
        let joker = NSEntityDescription()
        joker.name = "Joker"
        joker.properties = [
            LibraryModel.attribute("weight", .doubleAttributeType, optional: false, transient: true, default: 1.5)
        ]
        card.subentities = [joker]
        let model = NSManagedObjectModel()
        model.entities = [card, joker]
        return model
    }

    private func saved(_ stack: TestStack, _ entity: String = "Card") throws -> NSManagedObjectID {
        try stack.inContext { context in
            let card = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            card.setValue("busy", forKey: "state")
            card.setValue("kept", forKey: "note")
            try context.save()
            return card.objectID
        }
    }

    @Test(arguments: storeTypes) func aFetchedObjectHasTheDefaultsAndCanBeSaved(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        let id = try saved(stack, "Joker")
        try stack.inContext { context in
            let joker = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Card")).first)
            #expect(joker.objectID == id)
            #expect(joker.value(forKey: "state") as? String == "idle")
            #expect(joker.value(forKey: "isOpen") as? Bool == true)
            #expect(joker.value(forKey: "weight") as? Double == 1.5)
            #expect(joker.value(forKey: "tags") as? [String] == ["a"])
            #expect(joker.value(forKey: "note") == nil)
            #expect(!joker.hasChanges && joker.changedValues().isEmpty)
            #expect(Set(joker.committedValues(forKeys: nil).keys) == ["title"])
            joker.setValue("Fool", forKey: "title")
            try context.save()
        }
    }

    @Test(arguments: storeTypes) func aRefreshGoesBackToTheDefault(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        try stack.inContext { context in
            let card = NSEntityDescription.insertNewObject(forEntityName: "Card", into: context)
            try context.save()
            card.setValue("busy", forKey: "state")
            card.setValue("Ace", forKey: "title")
            try context.save()
            #expect(card.value(forKey: "state") as? String == "busy")
            context.refresh(card, mergeChanges: false)
            #expect(card.value(forKey: "state") as? String == "idle")
            card.setValue(nil, forKey: "state")
            #expect(card.value(forKey: "state") == nil)
            card.setValue("King", forKey: "title")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSValidationMissingMandatoryPropertyError)
            context.rollback()
            #expect(card.value(forKey: "state") as? String == "idle")
        }
    }

    @Test(arguments: storeTypes) func whatOneContextSetIsNotSeenByAnother(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        let id = try saved(stack)
        let writer = stack.context()
        try writer.performAndWait {
            let card = writer.object(with: id)
            card.setValue("mine", forKey: "note")
            card.setValue("Ace", forKey: "title")
            try writer.save()
            #expect(card.value(forKey: "note") as? String == "mine")
        }
        stack.inContext { context in
            let card = context.object(with: id)
            #expect(card.value(forKey: "note") == nil && card.value(forKey: "title") as? String == "Ace")
        }
    }

    @Test func aChildReadsDefaultsAndNotTheValuesOfItsParent() throws {
        let stack = try TestStack(model: Self.model())
        let id = try saved(stack)
        let parent = stack.context()
        try parent.performAndWait {
            let card = parent.object(with: id)
            card.setValue("busy", forKey: "state")
            card.setValue("parent's", forKey: "note")
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            try child.performAndWait {
                let copy = try #require(try child.fetch(NSFetchRequest<NSManagedObject>(entityName: "Card")).first)
                #expect(copy.value(forKey: "state") as? String == "idle")
                #expect(copy.value(forKey: "note") == nil)
                copy.setValue("Ace", forKey: "title")
                copy.setValue("child's", forKey: "note")
                try child.save()
                #expect(copy.value(forKey: "note") as? String == "child's")
            }
            #expect(card.value(forKey: "state") as? String == "busy")
            #expect(card.value(forKey: "note") as? String == "child's")
            try parent.save()
        }
    }
}
