import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Derived attributes as a context sees them.
struct DerivedAttributeTests {
    /// Team with members; derived: number of members, sum of their points, upper-case name, time of the save.
    /// Member with the team's name.
    private func model(mandatoryDerived: Bool = false) -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        func derived(_ name: String, _ type: NSAttributeType, _ expression: NSExpression) -> NSAttributeDescription {
            let attribute = NSDerivedAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = !mandatoryDerived
            attribute.derivationExpression = expression
            return attribute
        }
        let (team, member) = (NSEntityDescription(), NSEntityDescription())
        (team.name, member.name) = ("Team", "Member")
        let (members, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        (members.name, owner.name) = ("members", "team")
        (members.destinationEntity, owner.destinationEntity) = (member, team)
        (members.maxCount, owner.maxCount) = (0, 1)
        (members.inverseRelationship, owner.inverseRelationship) = (owner, members)
        team.properties = [
            attribute("name", .stringAttributeType), members,
            derived("size", .integer64AttributeType, NSExpression(forKeyPath: "members.@count")),
            derived("points", .integer64AttributeType, NSExpression(forKeyPath: "members.points.@sum")),
            derived("loudName", .stringAttributeType, NSExpression(format: "uppercase:(name)")),
            derived("plainName", .stringAttributeType, NSExpression(format: "canonical:(name)")),
            derived("savedAt", .dateAttributeType, NSExpression(format: "now()")),
        ]
        member.properties = [
            attribute("points", .integer64AttributeType), owner,
            derived("teamName", .stringAttributeType, NSExpression(forKeyPath: "team.name")),
        ]
        let model = NSManagedObjectModel()
        model.entities = [team, member]
        return model
    }

    private func insert(_ entity: String, _ values: [String: Any], _ context: NSManagedObjectContext) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    // Behaviour 6.16
    @Test func aDerivedValueIsNilBeforeTheSaveAndThereAfterIt() throws {
        let stack = try TestStack(model: model())
        try stack.inContext { context in
            let team = insert("Team", ["name": "Stadt Ägäis"], context)
            let member = insert("Member", ["points": 3, "team": team], context)
            for key in ["size", "points", "loudName", "plainName", "savedAt"] { #expect(team.value(forKey: key) == nil) }
            #expect(member.value(forKey: "teamName") == nil)
            try context.save()
            context.refreshAllObjects()
            #expect(team.value(forKey: "size") as? Int == 1)
            #expect(team.value(forKey: "points") as? Int == 3)
            #expect(team.value(forKey: "loudName") as? String == "STADT ÄGÄIS")
            #expect(team.value(forKey: "plainName") as? String == "stadt agais")
            let savedAt = try #require(team.value(forKey: "savedAt") as? Date)
            #expect(abs(savedAt.timeIntervalSinceNow) < 60)
            #expect(member.value(forKey: "teamName") as? String == "Stadt Ägäis")
            #expect(!context.hasChanges)
        }
        #expect(try stack.sqlite("SELECT ZSIZE, ZPOINTS, ZLOUDNAME FROM ZTEAM") == "1|3|STADT ÄGÄIS")
    }

    // Behaviour 6.16
    @Test func aDerivedValueFollowsTheOwnerAndItsRelatedRows() throws {
        let stack = try TestStack(model: model())
        try stack.inContext { context in
            let red = insert("Team", ["name": "red"], context)
            let blue = insert("Team", ["name": "blue"], context)
            let members = (1...4).map { insert("Member", ["points": $0, "team": red], context) }
            try context.save()
            members[0].setValue(blue, forKey: "team")
            members[1].setValue(10, forKey: "points")
            context.delete(members[2])
            blue.setValue("navy", forKey: "name")
            try context.save()
            context.refreshAllObjects()
            #expect(red.value(forKey: "size") as? Int == 2 && blue.value(forKey: "size") as? Int == 1)
            #expect(red.value(forKey: "points") as? Int == 14 && blue.value(forKey: "points") as? Int == 1)
            #expect(blue.value(forKey: "loudName") as? String == "NAVY")
            #expect(members[0].value(forKey: "teamName") as? String == "navy")
        }
    }

    // Behaviour 6.16
    @Test func aDerivedValueCanBeQueriedAndSorted() throws {
        let stack = try TestStack(model: model())
        try stack.inContext { context in
            for (name, size) in [("a", 0), ("b", 2), ("c", 1)] {
                let team = insert("Team", ["name": name], context)
                for _ in 0..<size { _ = insert("Member", ["points": 1, "team": team], context) }
            }
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
            request.predicate = NSPredicate(format: "size > 0")
            request.sortDescriptors = [NSSortDescriptor(key: "size", ascending: false)]
            #expect(try context.fetch(request).compactMap { $0.value(forKey: "name") as? String } == ["b", "c"])
        }
    }

    // Behaviour 6.16
    @Test func aMandatoryDerivedAttributeFailsTheValidationOfAnInsert() throws {
        let stack = try TestStack(model: model(mandatoryDerived: true))
        try stack.inContext { context in
            let member = insert("Member", ["points": 1], context)
            let error = try #require(throws: CocoaError.self) { try member.validateForInsert() }
            #expect(error.code.rawValue == NSValidationMissingMandatoryPropertyError)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "teamName")
        }
    }

    // Behaviour 6.16
    @Test func aStoreInMemoryRefusesTheModel() throws {
        let error = try #require(throws: CocoaError.self) {
            try TestStack(model: model(), type: NSInMemoryStoreType)
        }
        #expect(error.localizedDescription.contains("derived attribute"))
    }
}
