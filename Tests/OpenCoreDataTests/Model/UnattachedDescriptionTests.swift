import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Descriptions that belong to nothing yet may be asked where they belong: the answer is empty.
@Suite struct UnattachedDescriptionTests {
    @Test func aPropertyWithoutAnEntityHasAnEmptyOne() {
        let properties: [NSPropertyDescription] = [
            NSPropertyDescription(), NSAttributeDescription(), NSRelationshipDescription(),
            NSFetchedPropertyDescription(), NSDerivedAttributeDescription(), NSCompositeAttributeDescription(),
        ]
        for property in properties {
            property.name = "free"
            #expect(property.entity.name == nil && property.entity.properties.isEmpty)
        }
        let entity = NSEntityDescription()
        entity.properties = properties.prefix(1).map { $0 }
        #expect(properties[0].entity === entity)
        entity.properties = []
        #expect(properties[0].entity.name == nil)
    }

    @Test func anEntityWithoutAModelHasAnEmptyOne() {
        let entity = NSEntityDescription()
        entity.name = "Free"
        #expect(entity.managedObjectModel.entities.isEmpty)
        let model = NSManagedObjectModel()
        model.entities = [entity]
        #expect(entity.managedObjectModel === model)
    }

    /// An index or constraint without properties has no effect; old model files have such ones.
    @Test(arguments: UndoWalkTests.types) func emptyUniquenessConstraintsConstrainNothing(_ type: String) throws {
        let model = LibraryModel.make()
        let label = try #require(model.entitiesByName["Label"])
        label.uniquenessConstraints = [[]]
        #expect(label.uniquenessConstraints.isEmpty)
        let stack = try TestStack(model: model, type: type)
        try stack.inContext { context in
            for _ in 0..<2 { Label(context: context).name = "same" }
            try context.save()
            #expect(try context.count(for: NSFetchRequest<Label>(entityName: "Label")) == 2)
        }
    }
}
