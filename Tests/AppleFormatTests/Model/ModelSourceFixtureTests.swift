import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Model source that Xcode wrote, beside what Apple's compiler and framework made of it.
@Suite(.enabled(if: Fixtures.available)) struct ModelSourceFixtureTests {
    private static var documents: [String] {
        (Fixtures.root.flatMap { FileManager.default.enumerator(atPath: $0.path) }?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".xcdatamodel/contents") }.sorted()
    }

    @Test(arguments: documents) func sourceThatWasReadIsWrittenAsItWas(path: String) throws {
        let data = try Fixtures.data(path)
        let model = try ModelSourceDocument(data: data).model()
        #expect(model.problems() == [])
        let written = try ModelSourceDocument(model: model).data
        let lines = String(decoding: written, as: UTF8.self).split(separator: "\n")
        let original = String(decoding: data, as: UTF8.self).split(separator: "\n")
        #expect(zip(lines, original).filter { $0 != $1 }.map { [$0, $1] } == [])
        #expect(lines.count == original.count)
    }

    @Test(arguments: documents) func sourceWrittenFromNothingSaysTheSame(path: String) throws {
        let model = try ModelSourceDocument(data: try Fixtures.data(path)).model()
        let compiled = try NSManagedObjectModel.decode(compiledModel: try model.encodedCompiledModel())
        #expect(ModelSummary.differences(compiled, model) == [])
        let again = try ModelSourceDocument(data: try ModelSourceDocument(model: compiled).data).model()
        #expect(ModelSummary.differences(again, model) == [])
        #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
    }

    @Test(arguments: ["SampleModel/SampleModel", "SampleModel3/SampleModel3"])
    func compiledModelsAreThoseOfApplesCompiler(path: String) throws {
        let source = try ModelSourceBundle(contentsOf: try Fixtures.url("coredataplus/\(path).xcdatamodeld"))
        let compiled = try CompiledModelBundle(contentsOf: try Fixtures.url("coredataplus/\(path).momd"))
        #expect(source.versions.map(\.name) == compiled.versions.map(\.name))
        #expect(compiled.currentVersionName != nil)
        for (version, apple) in zip(source.versions, compiled.versions) {
            let model = try version.document.model()
            // The compiler leaves the class of transformable values out.
            let differences = ModelSummary.differences(model, apple.model).filter { !$0.contains(": value class ") }
            #expect(differences == [])
            #expect(model.entityVersionHashesByName == apple.model.entityVersionHashesByName)
            #expect(model.versionIdentifiers == apple.model.versionIdentifiers)
            #expect(
                try NSManagedObjectModel.decode(compiledModel: model.encodedCompiledModel())
                    .entityVersionHashesByName == model.entityVersionHashesByName)
        }
    }

    /// Where a cached model differs from its source: class names that the application took out, a renaming identifier
    /// that was not made by Xcode, compound indexes that became others, and indexes that old frameworks did not make.
    private static func isExpected(_ difference: String, framework: Int) -> Bool {
        difference.contains(": class ") || difference.contains(".progressPrimitive: renamed ")
            || difference.contains(": compound ") || (framework < 800 && difference.contains(": index "))
    }

    @Test(arguments: [
        (
            "wire-ios-data-model/zmessaging.xcdatamodeld/zmessaging2.101.0",
            "wire-ios-data-model/store2-101-0.wiredatabase"
        ),
        (
            "wire-ios-data-model/zmessaging.xcdatamodeld/zmessaging2.75.0",
            "wire-ios-data-model/store2-75-0.wiredatabase"
        ),
        (
            "wire-ios-data-model/zmessaging.xcdatamodeld/zmessaging2.54.0",
            "wire-ios-data-model/store2-54-0.wiredatabase"
        ),
        (
            "wire-ios-data-model/zmessaging.xcdatamodeld/zmessaging2.30.0",
            "wire-ios-data-model/store2-30-0.wiredatabase"
        ),
        ("wire-ios-data-model/zmessaging.xcdatamodeld/zmessaging2.3", "wire-ios-data-model/store2-3.wiredatabase"),
        ("wire-ios-data-model/zmessaging.xcdatamodeld/zmessaging1.28", "wire-ios-data-model/store1-28.wiredatabase"),
        ("coredatastack/Sample.xcdatamodeld/TestModel", "coredatastack/TestModel.sqlite"),
        ("scout/Scout.xcdatamodeld/Scout", "scout/Scout-v1.sqlite"),
        ("scout/Scout.xcdatamodeld/Scout 4", "scout/Scout-v4.sqlite"),
    ])
    func hashesFromSourceAreThoseOfTheStore(source: String, store: String) throws {
        let model = try ModelSourceDocument(contentsOf: try Fixtures.url(source + ".xcdatamodel")).model()
        let content = try StoreContent(fixture: store)
        #expect(model.entityVersionHashesByName == content.versionHashes)
        if let cache = content.modelCache {
            let cached = try NSManagedObjectModel.decode(modelCache: cache)
            let differences = ModelSummary.differences(model, cached)
            #expect(differences.filter { !Self.isExpected($0, framework: content.frameworkVersion) } == [])
        }
    }

    @Test func theBinaryFormOfOldVersionsOfXcodeIsNamed() throws {
        let url = try Fixtures.url("apple-sample-coredatabooks/CoreDataBooks.xcdatamodeld")
        let error = #expect(throws: CocoaError.self) { try NSManagedObjectModel(contentsOfModelFile: url) }
        #expect(error?.code == .featureUnsupported)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String != nil)
    }

    @Test func anOptimizedModelIsReadFromTheOneBesideIt() throws {
        let url = try Fixtures.url("coredataplus/SampleModel/SampleModel.momd/SampleModel.omo")
        #expect(NSManagedObjectModel(contentsOf: url)?.entitiesByName["Car"] != nil)
    }
}
