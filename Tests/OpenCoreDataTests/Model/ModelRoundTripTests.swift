import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct ModelRoundTripTests {
    @Test func theFullModelIsConsistent() throws {
        try makeFullModel().validate()
    }

    @Test func aCompiledModelLosesNothing() throws {
        let model = makeFullModel()
        let again = try NSManagedObjectModel.decode(compiledModel: model.encodedCompiledModel())
        #expect(ModelSummary.differences(model, again) == [])
        #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
        #expect(try again.encodedCompiledModel() == model.encodedCompiledModel())
    }

    @Test func aModelCacheLosesNothing() throws {
        let model = makeFullModel()
        let again = try NSManagedObjectModel.decode(modelCache: model.encodedModelCache())
        #expect(ModelSummary.differences(model, again) == [])
        #expect(again.entitiesByName["Book"]?.declaredProperties.count == 3)
    }

    @Test func modelSourceLosesNothing() throws {
        let model = makeFullModel()
        let data = try ModelSourceDocument(model: model).data
        let again = try ModelSourceDocument(data: data).model()
        // Source gives an index of several columns a list of the old kind beside it, as Apple's compiler does.
        #expect(
            ModelSummary.differences(model, again) == [
                "- Item: compound []", "+ Item: compound [[\"title\", \"small\"]]",
            ])
        #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
        #expect(try ModelSourceDocument(model: again).data == data)
    }

    @Test func aChangeOfAModelChangesItsPlaceInTheSourceOnly() throws {
        let source = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" unknown="kept">
                <entity name="Person" representedClassName=".Person" syncable="YES" codeGenerationType="category">
                    <attribute name="age" optional="YES" attributeType="Double" defaultValueString="0.0" uses="YES"/>
                    <attribute name="name" attributeType="String" custom="1"/>
                    <something value="kept"/>
                </entity>
                <elements>
                    <element name="Person" positionX="-63" positionY="-18" width="128" height="73"/>
                </elements>
            </model>
            """
        let model = try ModelSourceDocument(data: Data(source.utf8)).model()
        #expect(String(decoding: try ModelSourceDocument(model: model).data, as: UTF8.self) == source)
        let person = try #require(model.entitiesByName["Person"])
        #expect(person.managedObjectClassName == "Person")
        person.attributesByName["age"]?.isOptional = false
        let email = NSAttributeDescription()
        email.name = "email"
        email.type = .string
        person.properties += [email]
        let expected = source.replacingOccurrences(of: "name=\"age\" optional=\"YES\"", with: "name=\"age\"")
            .replacingOccurrences(
                of: "custom=\"1\"/>\n",
                with: "custom=\"1\"/>\n        <attribute name=\"email\" optional=\"YES\" attributeType=\"String\"/>\n")
        #expect(String(decoding: try ModelSourceDocument(model: model).data, as: UTF8.self) == expected)
    }

    @Test func whatSourceCannotExpressIsNamed() throws {
        let model = makeFullModel()
        model.entitiesByName["Item"]?.attributesByName["small"]?.setValidation(
            predicates: [NSPredicate(format: "SELF != 3")], warnings: ["not three"])
        let error = #expect(throws: CocoaError.self) { try ModelSourceDocument(model: model) }
        let sentence = error?.userInfo[NSLocalizedDescriptionKey] as? String
        #expect(sentence?.contains("'small'") == true)
    }

    // Behaviour 9.11
    @Test func foldersOfVersionsAreWrittenAndRead() throws {
        let folder = try TemporaryFolder()
        let second = makeFullModel()
        second.entitiesByName["Shelf"]?.versionHashModifier = "3"
        let versions = [("One", makeFullModel()), ("Two", second)]

        let compiled = folder.file("Things.momd")
        for _ in 0..<2 {
            try CompiledModelBundle(
                versions: versions.map { CompiledModelBundle.Version(name: $0.0, model: $0.1) },
                currentVersionName: "Two"
            ).write(to: compiled)
        }
        let read = try CompiledModelBundle(contentsOf: compiled)
        #expect(read.versions.map(\.name) == ["One", "Two"] && read.currentVersionName == "Two")
        #expect(NSManagedObjectModel(contentsOf: compiled)?.versionChecksum == second.versionChecksum)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Things.momd"])

        let source = folder.file("Things.xcdatamodeld")
        try ModelSourceBundle(
            versions: try versions.map { .init(name: $0.0, document: try ModelSourceDocument(model: $0.1)) },
            currentVersionName: "Two"
        ).write(to: source)
        #expect(NSManagedObjectModel(contentsOf: source)?.versionChecksum == second.versionChecksum)
        #expect(try ModelSourceBundle(contentsOf: source).versions.map(\.name) == ["One", "Two"])
    }

    @Test func hashesOfAFileAreKeptUntilTheEntityChanges() throws {
        let model = makeFullModel()
        let given = Data(repeating: 7, count: 32)
        model.setKnownVersionHashes(["Book": given])
        #expect(model.entityVersionHashesByName["Book"] == given)
        #expect((model.copy() as? NSManagedObjectModel)?.entityVersionHashesByName["Book"] == given)
        model.entitiesByName["Book"]?.userInfo = ["no": "effect"]
        #expect(model.entityVersionHashesByName["Book"] == given)
        model.entitiesByName["Item"]?.attributesByName["title"]?.isOptional = true
        #expect(model.entityVersionHashesByName["Book"] != given)
    }

    @Test func modelsAreMerged() throws {
        let merged = try #require(NSManagedObjectModel(byMerging: [makeFullModel(), makeCompanyModel()]))
        #expect(merged.entities.count == 6)
        #expect(Set(merged.configurations) == ["Things", "Furniture", "Local"])
        #expect(merged.entitiesByName["Employee"]?.superentity === merged.entitiesByName["Person"])
        #expect(NSManagedObjectModel(byMerging: [makeFullModel(), makeFullModel()])?.entities.count == 3)
        let other = makeFullModel()
        other.entitiesByName["Shelf"]?.versionHashModifier = "3"
        #expect(NSManagedObjectModel(byMerging: [makeFullModel(), other]) == nil)
        let metadata: [String: Any] = [NSStoreModelVersionHashesKey: other.entityVersionHashesByName]
        let fitting = try #require(
            NSManagedObjectModel(byMerging: [makeCompanyModel(), makeFullModel(), other], forStoreMetadata: metadata))
        #expect(fitting.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(NSManagedObjectModel(byMerging: [makeCompanyModel()], forStoreMetadata: metadata) == nil)
    }
}
