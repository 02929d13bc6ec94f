import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Attributes that the store computes, where the context has another value of them.
@Suite(.serialized) struct DerivedConflictTests {
    private func model() throws -> NSManagedObjectModel {
        let model = BoxModel.make()
        let box = try #require(model.entitiesByName["Box"])
        for (name, relationship) in [("itemCount", "items"), ("listCount", "list"), ("tagCount", "tags")] {
            let count = NSDerivedAttributeDescription()
            count.name = name
            count.attributeType = .integer64AttributeType
            count.isOptional = true
            count.derivationExpression = NSExpression(forKeyPath: "\(relationship).@count")
            box.properties.append(count)
        }
        return model
    }

    private func check(_ stack: TestStack, _ expected: [Int]) throws {
        try stack.inContext { context in
            let box = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box")).first)
            let counts = ["itemCount", "listCount", "tagCount"].map { box.value(forKey: $0) as? Int }
            let members = ["items", "list", "tags"].map { box.keys($0).count }
            #expect(counts == expected && members == expected)
        }
    }

    @Test(arguments: DeletionConflictTests.policies.dropFirst())
    func aConflictLeavesTheCountOfMembersRight(policy: NSMergePolicyType) throws {
        let stack = try TestStack(model: model())
        let (mine, other) = (stack.context(), stack.context())
        try mine.performAndWait {
            mine.mergePolicy = NSMergePolicy(merge: policy)
            let box = mine.box("a")
            box.add(mine.item(1), to: "items")
            try mine.save()
            #expect(box.keys("items") == [1] && box.value(forKey: "itemCount") as? Int == 1)
            try other.performAndWait {
                let theirs = other.object(with: box.objectID)
                theirs.setValue("theirs", forKey: "title")
                for relationship in ["items", "list", "tags"] { theirs.add(other.item(2), to: relationship) }
                try other.save()
            }
            for relationship in ["items", "list", "tags"] { box.add(mine.item(3), to: relationship) }
            box.setValue("ours", forKey: "title")
            try mine.save()
            mine.refresh(box, mergeChanges: true)
            let count = box.value(forKey: "itemCount") as? Int
            #expect(count == box.keys("items").count && count == 3)
        }
        // A link of two rows is the box's: dropped with its changes.
        try check(stack, [3, 2, policy == .rollbackMergePolicyType ? 1 : 2])
    }

    @Test(arguments: [NSMergePolicyType.overwriteMergePolicyType]) func aRowThatIsWrittenAgainCountsItsMembers(
        policy: NSMergePolicyType
    ) throws {
        let stack = try TestStack(model: model())
        try stack.inContext { context in
            context.mergePolicy = NSMergePolicy(merge: policy)
            let box = context.box("a")
            for relationship in ["items", "list", "tags"] { box.add(context.item(1), to: relationship) }
            try context.save()
            #expect(box.value(forKey: "itemCount") as? Int == 1)
            try stack.inContext { other in
                other.delete(other.object(with: box.objectID))
                try other.save()
            }
            box.add(context.item(2), to: "items")
            try context.save()
        }
        try check(stack, [1, 0, 0])
    }

    @Test func aValueThatAProgramSetsIsNotSaved() throws {
        let stack = try TestStack(model: model())
        try stack.inContext { context in
            let box = context.box("a")
            box.add(context.item(1), to: "items")
            try context.save()
            box.setValue(70, forKey: "itemCount")
            try context.save()
            #expect(box.value(forKey: "itemCount") as? Int == 1)
            box.setValue(70, forKey: "itemCount")
            box.setValue("b", forKey: "title")
            try context.save()
            #expect(box.value(forKey: "itemCount") as? Int == 1 && !context.hasChanges)
        }
        try check(stack, [1, 0, 0])
    }
}
