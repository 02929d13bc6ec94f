import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct ModelCodingTests {
    private func recoded<Object: NSObject & NSCoding>(_ object: Object) throws -> Object {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        object.encode(with: archiver)
        archiver.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        reader.requiresSecureCoding = false
        return try #require(Object(coder: reader))
    }

    // Behaviour 9.11
    @Test func aModelSurvivesCoding() throws {
        let model = makeFullModel()
        #expect(ModelSummary.differences(model, try recoded(model)) == [])
    }

    @Test func partsOfAModelSurviveCoding() throws {
        let model = makeFullModel()
        let parts = NSManagedObjectModel()
        parts.entities = try model.entities.map { try recoded($0) }
        #expect(
            ModelSummary.differences(model, parts).filter { !$0.hasPrefix("- configuration") } == [
                "- request cheap Item where price < 10 AND title BEGINSWITH[cd] \"a\" by  limit 5 offset 0 batch 0 "
                    + "flags false true true true true picks [] groups [] having - prefetches []",
                "- version v7",
            ])
        let item = try #require(model.entitiesByName["Item"])
        let toShelf = try #require(item.relationshipsByName["shelf"])
        #expect(try recoded(toShelf).destinationEntityName == "Shelf")
        let index = try recoded(try #require(item.indexes.first))
        #expect(index.name == "byTitle" && index.elements.map(\.propertyName) == ["title", "small"])
        #expect(try recoded(try #require(index.elements.first)).isAscending == false)
    }

    @Test func anArchiveOfSomethingElseIsNil() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.encode("text" as NSString, forKey: "other")
        archiver.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(NSManagedObjectModel(coder: reader) == nil)
        #expect(NSEntityDescription(coder: reader) == nil)
        #expect(NSAttributeDescription(coder: reader) == nil)
        #expect(NSFetchIndexDescription(coder: reader) == nil)
    }
}

@Suite struct ModelReferenceTests {
    @Test func aReferenceFindsTheVersionWithItsChecksum() throws {
        let model = makeFullModel()
        let checksum = model.versionChecksum
        #expect(NSManagedObjectModelReference(model: model, versionChecksum: checksum).resolvedModel === model)
        let folder = try TemporaryFolder()
        let url = folder.file("Things.momd")
        let versions = [("One", makeCompanyModel()), ("Two", model)]
        try CompiledModelBundle(
            versions: versions.map { CompiledModelBundle.Version(name: $0.0, model: $0.1) }, currentVersionName: "One"
        ).write(to: url)
        let reference = NSManagedObjectModelReference(fileURL: url, versionChecksum: checksum)
        #expect(reference.resolvedModel.entitiesByName["Shelf"] != nil)
        #expect(reference.resolvedModel === reference.resolvedModel)
        let lost = NSManagedObjectModelReference(fileURL: url, versionChecksum: "other")
        let error = #expect(throws: CocoaError.self) { try lost.resolve() }
        #expect(error?.code.rawValue == NSManagedObjectModelReferenceNotFoundError)
    }
}
