import Foundation
import OpenCoreData
import Testing

/// Reaches the deprecated property without a warning.
private protocol CompoundIndexed: AnyObject {
    var compoundIndexes: [[Any]] { get set }
}

extension NSEntityDescription: CompoundIndexed {}

/// What changes the version hash of an entity, and what an entity is by default.
struct VersionHashTests {
    private func attribute(_ name: String, _ type: NSAttributeType = .stringAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
    }

    /// Parent with a child; `change` alters the child or the parent before the model takes them.
    private func hashes(_ change: (_ parent: NSEntityDescription, _ child: NSEntityDescription) -> Void = { _, _ in })
        -> [String: Data]
    {
        let (parent, child) = (NSEntityDescription(), NSEntityDescription())
        (parent.name, child.name) = ("Parent", "Child")
        parent.properties = [attribute("name")]
        child.properties = [attribute("size", .integer32AttributeType)]
        parent.subentities = [child]
        change(parent, child)
        let model = NSManagedObjectModel()
        model.entities = [parent, child]
        return model.entityVersionHashesByName
    }

    // Behaviour 9.4
    @Test func aChangeOfASubentityChangesItsOwnHashOnly() {
        let changed = hashes { _, child in child.properties += [self.attribute("color")] }
        #expect(changed["Child"] != hashes()["Child"])
        #expect(changed["Parent"] == hashes()["Parent"])
        #expect(hashes() == hashes())
    }

    // Behaviour 9.4, 9.10
    @Test func constraintsModifiersAndTypesChangeTheHash() {
        let plain = hashes()["Parent"]
        #expect(hashes { parent, _ in parent.uniquenessConstraints = [["name"]] }["Parent"] != plain)
        #expect(hashes { parent, _ in parent.versionHashModifier = "2" }["Parent"] != plain)
        #expect(
            hashes { parent, _ in parent.properties = [self.attribute("name", .dateAttributeType)] }["Parent"] != plain)
        let modified = hashes { parent, _ in
            let name = self.attribute("name")
            name.versionHashModifier = "x"
            parent.properties = [name]
        }
        #expect(modified["Parent"] != plain)
    }

    // Behaviour 9.5
    @Test func anEntityHasOneHashInsideAndOutsideOfAModel() {
        let entity = NSEntityDescription()
        entity.name = "Alone"
        entity.properties = [attribute("name")]
        let outside = entity.versionHash
        let model = NSManagedObjectModel()
        model.entities = [entity]
        #expect(outside == model.entityVersionHashesByName["Alone"])
        #expect(outside.count == 32)
    }

    // Behaviour 9.9
    @Test func aRelationshipIsToManyByItsMaximumAlone() {
        let relationship = NSRelationshipDescription()
        #expect(relationship.minCount == 0 && relationship.maxCount == 0 && relationship.isToMany)
        #expect(relationship.deleteRule == .nullifyDeleteRule)
        relationship.maxCount = 1
        #expect(!relationship.isToMany)
        relationship.minCount = 1
        #expect(!relationship.isToMany)
        relationship.maxCount = 2
        #expect(relationship.isToMany)
    }

    // Behaviour 9.9
    @Test func aCopyHasTheValuesAndTheClassNameFollowsTheType() throws {
        let original = attribute("name")
        #expect(original.attributeValueClassName == "NSString")
        original.defaultValue = "x"
        let copy = try #require(original.copy() as? NSAttributeDescription)
        original.name = "other"
        #expect(copy.name == "name" && copy.defaultValue as? String == "x")
        copy.attributeType = .integer16AttributeType
        #expect(copy.attributeValueClassName == "NSNumber" && original.attributeValueClassName == "NSString")
    }

    // Behaviour 9.10
    @Test func thereAreNoConstraintsByDefaultAndCompoundIndexesAreNoMore() {
        let entity = NSEntityDescription()
        #expect(entity.uniquenessConstraints.isEmpty)
        entity.uniquenessConstraints = [["a", "b"]]
        #expect(entity.uniquenessConstraints.map { $0.map { "\($0)" } } == [["a", "b"]])
        let indexed: any CompoundIndexed = entity
        indexed.compoundIndexes = [["a", "b"]]
        #expect(indexed.compoundIndexes.isEmpty)
    }

    @Test func aDerivedAttributeCountsAsAPlainOne() {
        let derived = NSDerivedAttributeDescription()
        (derived.name, derived.attributeType) = ("total", .integer64AttributeType)
        derived.derivationExpression = NSExpression(forKeyPath: "size")
        let plain = attribute("total", .integer64AttributeType)
        #expect(
            hashes { _, child in child.properties += [derived] }["Child"]
                == hashes { _, child in child.properties += [plain] }["Child"])
    }
}
