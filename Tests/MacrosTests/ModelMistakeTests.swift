#if Macros
import OpenCoreDataMacros
import Testing

@ManagedObject
final class Club: NSManagedObject {
    var members: Set<Member>
    var friends: Set<Member>
}

@ManagedObject
final class Member: NSManagedObject {
    var club: Club?
}

@ManagedObject
final class Branch: NSManagedObject {
    var parent: Branch?
    var children: [Branch]
    @Relationship(inverse: nil) var next: Branch?
}

@ManagedObject
final class Visit: NSManagedObject {
    @Relationship(inverse: "visits") var host: Host?
}

@ManagedObject
final class Host: NSManagedObject {
    var name: String = ""
}

@ManagedObject
final class Guest: NSManagedObject {
    @Attribute(min: 0.5) var age: Int = 1
}

/// Classes that don't go together are refused with their names.
@Suite struct ModelMistakeTests {
    private func sentence(_ types: any ManagedObjectModeling.Type...) -> String? {
        let error = #expect(throws: CocoaError.self) { try NSManagedObjectModel(for: types) }
        return error?.localizedDescription
    }

    @Test func missingClassesAreNamed() {
        let string = sentence(Novel.self, Tag.self)
        #expect(string?.contains("Book, which Novel inherits from") == true)
        #expect(string?.contains("Book, which Tag.books leads to") == true)
    }

    @Test func anInverseThatIsNotClearIsAsked() {
        let string = sentence(Club.self, Member.self)
        #expect(string?.contains("is not clear") == true)
        #expect(string?.contains("Club.members") == true && string?.contains("Club.friends") == true)
    }

    @Test func anInverseThatIsMissingIsNamed() {
        #expect(sentence(Visit.self, Host.self)?.contains("'visits'") == true)
    }

    @Test func aLimitThatDoesNotFitIsNamed() {
        #expect(sentence(Guest.self)?.contains("Guest.age") == true)
    }

    @Test func aTreeFindsItsInverses() throws {
        let branch = try #require(try NSManagedObjectModel(for: Branch.self).entitiesByName["Branch"])
        #expect(branch.relationshipsByName["parent"]?.inverseRelationship?.name == "children")
        #expect(branch.relationshipsByName["children"]?.inverseRelationship?.name == "parent")
        #expect(branch.relationshipsByName["next"]?.inverseRelationship == nil)
    }

    @Test func classesAreTakenOnceEach() throws {
        #expect(try NSManagedObjectModel(for: Branch.self, Branch.self).entities.count == 1)
    }
}
#endif
