import Foundation
import OpenCoreData
import TestSupport
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

    private func derived(_ name: String, _ expression: NSExpression) -> NSDerivedAttributeDescription {
        let derived = NSDerivedAttributeDescription()
        (derived.name, derived.attributeType, derived.isOptional) = (name, .integer64AttributeType, true)
        derived.derivationExpression = expression
        return derived
    }

    private func hex(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }

    /// The values are those of stores by Apple's framework.
    @Test func aDerivedAttributeCountsByTheTextOfItsExpressionAlone() {
        let count = derived("any", NSExpression(format: "pages.@count"))
        let expected = "50081597fb1d6648429c1b37f73bc6bf63299d160cd6f0d555919fd143a9296e"
        #expect(hex(count.versionHash) == expected)
        (count.name, count.isOptional, count.attributeType) = ("other", false, .doubleAttributeType)
        count.versionHashModifier = "2"
        #expect(hex(count.versionHash) == expected)
        #expect(
            hex(derived("any", NSExpression(forKeyPath: "chat.serverId")).versionHash)
                == "e73058ea48a339d83524f795b178069cefde73090921837a98f3349299d5aa85")
    }

    @Test(arguments: [
        ("count:(pages)", ["pages.@count", "count:(pages)", "count(pages)"]),
        ("sum:(pages.number)", ["pages.number.@sum", "pages.@sum.number", "sum:(pages.number)"]),
        ("average:(pages.number)", ["pages.@avg.number", "average:(pages.number)"]),
        ("max:(pages.number)", ["pages.@max.number", "pages.number.@max"]), ("now()", ["now()"]),
        ("canonical:(name)", ["canonical:(name)"]), ("a.b", ["a.b", "SELF.a.b"]),
    ])
    func allWaysToWriteAnExpressionHaveOneText(_ text: String, _ formats: [String]) throws {
        for format in formats {
            let made = derived("x", NSExpression(format: format))
            #expect(made.derivationText == text)
            #expect(made.versionHash == derived("x", NSExpression(format: formats[0])).versionHash)
            // The compiled form, and the copy in a store, have the same.
            let entity = NSEntityDescription()
            entity.name = "E"
            entity.properties = [made]
            let model = NSManagedObjectModel()
            model.entities = [entity]
            let decoded = try NSManagedObjectModel.decode(compiledModel: try model.encodedCompiledModel())
            let copy = try #require(
                decoded.entitiesByName["E"]?.attributesByName["x"] as? NSDerivedAttributeDescription)
            #expect(copy.derivationText == text)
            #expect(decoded.entitiesByName["E"]?.versionHash == entity.versionHash)
        }
    }

    @Test func compositesWithinCompositesCountByTheirLeaves() {
        func composite(_ name: String, _ elements: NSAttributeDescription...) -> NSCompositeAttributeDescription {
            let composite = NSCompositeAttributeDescription()
            composite.name = name
            composite.elements = elements
            return composite
        }
        let flat = composite("x", attribute("a"), attribute("b"), attribute("c"))
        let nested = composite("y", attribute("c"), composite("z", attribute("b"), attribute("a")))
        #expect(flat.versionHash == nested.versionHash)
        #expect(flat.versionHash != composite("x", attribute("a"), attribute("b")).versionHash)
    }

    // MARK: Stores of earlier versions

    private func derivedModel(extra: Bool = false) -> NSManagedObjectModel {
        let (parent, child) = (NSEntityDescription(), NSEntityDescription())
        (parent.name, child.name) = ("Parent", "Child")
        parent.properties = [
            attribute("name"), attribute("size", .integer64AttributeType),
            derived("copy", NSExpression(forKeyPath: "size")),
        ]
        if extra { parent.properties.append(attribute("added")) }
        parent.subentities = [child]
        let model = NSManagedObjectModel()
        model.entities = [parent, child]
        return model
    }

    /// Writes a store with the hashes that earlier versions of this library computed.
    private func makeFormerStore(in folder: TemporaryFolder) throws -> URL {
        let stack = try TestStack(model: derivedModel(), folder: folder)
        try stack.inContext { context in
            for name in ["Parent", "Child"] {
                let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                object.setValue(name, forKey: "name")
                object.setValue(5, forKey: "size")
            }
            try context.save()
        }
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        var metadata = try StoreFile.metadata(at: stack.url)
        let former = derivedModel().entitiesByName.compactMapValues(\.formerVersionHash)
        #expect(former.count == 2 && former != derivedModel().entityVersionHashesByName)
        metadata[NSStoreModelVersionHashesKey] = former
        metadata["NSStoreModelVersionHashesDigest"] = NSManagedObjectModel.versionHashesDigest(of: former)
        metadata[NSPersistentStoreModelVersionChecksumKey] = NSManagedObjectModel.versionChecksum(of: former)
        try StoreFile.setMetadata(metadata, at: stack.url)
        return stack.url
    }

    private func names(_ stack: TestStack) throws -> [String] {
        try stack.inContext { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Parent")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try context.fetch(request).map {
                "\($0.value(forKey: "name") ?? "") \($0.value(forKey: "copy") ?? "")"
            }
        }
    }

    @Test(.enabled(if: !TestStack.isOnServer)) func aStoreWithFormerHashesOpensWithoutAMigration() throws {
        let folder = try TemporaryFolder()
        let url = try makeFormerStore(in: folder)
        let metadata = try StoreFile.metadata(at: url)
        #expect(derivedModel().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(try names(TestStack(model: derivedModel(), folder: folder)) == ["Child 5", "Parent 5"])
        #expect(try StoreChecker.findings(inStoreAt: url, model: derivedModel()).map(\.message) == [])
        // The store's own copy of the model counts as the model that it is.
        #expect(
            try StoreFile.model(inStoreAt: url).entityVersionHashesByName == derivedModel().entityVersionHashesByName)
    }

    @Test(.enabled(if: !TestStack.isOnServer)) func aStoreWithFormerHashesMigrates() throws {
        let folder = try TemporaryFolder()
        _ = try makeFormerStore(in: folder)
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        let stack = try TestStack(model: derivedModel(extra: true), folder: folder, options: options)
        #expect(try names(stack) == ["Child 5", "Parent 5"])
    }

    @Test(.enabled(if: !TestStack.isOnServer)) func aStoreWithFormerHashesGoesThroughStages() throws {
        let folder = try TemporaryFolder()
        _ = try makeFormerStore(in: folder)
        let manager = NSStagedMigrationManager([
            NSLightweightMigrationStage([
                derivedModel().versionChecksum, derivedModel(extra: true).versionChecksum,
            ])
        ])
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            NSPersistentStoreStagedMigrationManagerOptionKey: manager,
        ]
        #expect(
            try names(TestStack(model: derivedModel(extra: true), folder: folder, options: options))
                == ["Child 5", "Parent 5"])
    }

    /// Neither its name nor its type is part of the hash.
    @Test(.enabled(if: !TestStack.isOnServer)) func aDerivedAttributeUnderANewNameNeedsAHashModifier() throws {
        let folder = try TemporaryFolder()
        let old = try TestStack(model: derivedModel(), folder: folder)
        try old.inContext { context in
            NSEntityDescription.insertNewObject(forEntityName: "Parent", into: context).setValue(5, forKey: "size")
            try context.save()
        }
        for store in old.coordinator.persistentStores { try old.coordinator.remove(store) }
        func renamed(_ modifier: String?) -> NSManagedObjectModel {
            let model = derivedModel()
            model.entitiesByName["Parent"]?.attributesByName["copy"]?.name = "duplicate"
            model.entitiesByName["Parent"]?.versionHashModifier = modifier
            return model
        }
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        let error = #expect(throws: CocoaError.self) {
            _ = try TestStack(model: renamed(nil), folder: folder, options: options)
        }
        #expect(error?.localizedDescription.contains("ZDUPLICATE") == true)
        let stack = try TestStack(model: renamed("2"), folder: folder, options: options)
        try stack.inContext { context in
            let parents = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Parent"))
            #expect(parents.map { $0.value(forKey: "duplicate") as? Int } == [5])
        }
    }

    @Test(.enabled(if: !TestStack.isOnServer)) func aWrongHashOfAnEntityWithADerivedAttributeIsFound() throws {
        let folder = try TemporaryFolder()
        let url = try makeFormerStore(in: folder)
        var metadata = try StoreFile.metadata(at: url)
        metadata[NSStoreModelVersionHashesKey] = [
            "Parent": Data(repeating: 1, count: 32), "Child": derivedModel().entityVersionHashesByName["Child"],
        ].compactMapValues(\.self)
        try StoreFile.setMetadata(metadata, at: url)
        let messages = try StoreChecker.findings(inStoreAt: url, model: derivedModel()).map(\.message)
        #expect(messages.contains("The version hash of Parent is not that of the model."))
    }
}
