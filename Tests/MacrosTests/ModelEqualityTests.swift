#if Macros
import OpenCoreDataMacros
import TestSupport
import Testing

/// A model of classes and the same model from Xcode's file are one model.
@Suite struct ModelEqualityTests {
    private static func fileModel() throws -> NSManagedObjectModel {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try NSManagedObjectModel(
            contentsOfModelFile: folder.appendingPathComponent("Fixtures/Library.xcdatamodel"))
    }

    @Test(arguments: ["Person", "Author", "Book", "Novel", "Label", "Shelf"])
    func anEntityHasTheHashesOfTheFile(_ name: String) throws {
        let (file, classes) = (try Self.fileModel(), try Library.model())
        let wanted = try #require(file.entitiesByName[name])
        let made = try #require(classes.entitiesByName[name])
        for (property, description) in wanted.propertiesByName {
            #expect(made.propertiesByName[property]?.versionHash == description.versionHash, "\(name).\(property)")
        }
        #expect(Set(made.propertiesByName.keys) == Set(wanted.propertiesByName.keys))
        #expect(made.versionHash == wanted.versionHash)
    }

    @Test func everythingElseIsEqualToo() throws {
        let (file, classes) = (try Self.fileModel(), try Library.model())
        let differences = ModelSummary.differences(file, classes)
            .filter { !$0.hasSuffix(": version ") && $0 != "- version " }
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
        #expect(file.entityVersionHashesByName == classes.entityVersionHashesByName)
    }

    @Test func aStoreOfTheFileOpensWithTheClasses() throws {
        let folder = try TemporaryFolder()
        _ = try TestStack(model: try Self.fileModel(), folder: folder)
        let stack = try TestStack(model: try Library.model(), folder: folder)
        #expect(stack.coordinator.persistentStores.count == 1)
    }
}
#endif
