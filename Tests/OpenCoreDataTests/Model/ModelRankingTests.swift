import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Which of several models beside a program is its own: the package manager puts those of all targets beside each other.
@Suite struct ModelRankingTests {
    /// Writes a model with one entity into the resource bundle of a target.
    private static func write(
        _ name: String, class className: String?, in bundle: String, of folder: TemporaryFolder
    ) throws -> URL {
        let entity = NSEntityDescription()
        entity.name = "Book"
        entity.managedObjectClassName = className
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let resources = folder.file(bundle)
        try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
        let file = resources.appendingPathComponent("\(name).mom")
        try model.encodedCompiledModel().write(to: file)
        return file
    }

    @Test func theBundleOfTheProgramsOwnTargetComesFirst() throws {
        let folder = try TemporaryFolder()
        let program = try #require(Bundle.main.executableURL).deletingPathExtension().lastPathComponent
        let other = try Self.write("M", class: "HomeTask", in: "Pkg_OpenCoreDataTests.resources", of: folder)
        let own = try Self.write("M", class: nil, in: "Pkg_\(program).resources", of: folder)
        #expect(ModelFinder.best(of: [other, own]) == [own])
    }

    @Test func thenAModelWhoseClassesAreInTheModuleOfItsTarget() throws {
        let folder = try TemporaryFolder()
        let foreign = try Self.write("M", class: "NoSuchBook", in: "Aaa_Aaa.resources", of: folder)
        let plain = try Self.write("M", class: nil, in: "Bbb_Bbb.resources", of: folder)
        let namesake = try Self.write("M", class: ".HomeTask", in: "Ccc_Ccc.resources", of: folder)
        let linked = try Self.write("M", class: "HomeTask", in: "My_Pkg_OpenCoreDataTests.resources", of: folder)
        #expect(ModelFinder.best(of: [foreign, plain, namesake, linked]) == [linked])
        #expect(ModelFinder.best(of: [foreign, plain, namesake]) == [namesake])
        #expect(ModelFinder.best(of: [foreign, plain]) == [plain])
        #expect(ModelFinder.best(of: [foreign]) == [foreign])
        #expect(ModelFinder.best(of: []).isEmpty)
    }

    @Test func severalOfOneRankStayInOrder() throws {
        let folder = try TemporaryFolder()
        let files = try ["A_B.resources", "A_C.resources"].map {
            try Self.write("M", class: "NoSuchBook", in: $0, of: folder)
        }
        #expect(ModelFinder.best(of: files) == files)
        #expect(ModelFinder.best(of: files.reversed()) == files.reversed())
    }

    @Test func aFileThatCanNotBeReadIsSkippedForOneWithClassesOfTheProgram() throws {
        let folder = try TemporaryFolder()
        let known = try Self.write("M", class: "HomeTask", in: "Bbb_Bbb.resources", of: folder)
        let foreign = try Self.write("M", class: "NoSuchBook", in: "Ccc_Ccc.resources", of: folder)
        let broken = folder.file("Aaa_Aaa.resources/M.mom")
        try FileManager.default.createDirectory(
            at: broken.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("no model".utf8).write(to: broken)
        #expect(ModelFinder.best(of: [broken, known]) == [known])
        #expect(ModelFinder.best(of: [broken, foreign]) == [broken])
    }

    @Test func aContainerTakesTheProgramsOwnModelOfAName() throws {
        let folder = try TemporaryFolder()
        _ = try Self.write("Shop", class: "NoSuchBook", in: "Aaa_Aaa.resources", of: folder)
        _ = try Self.write("Shop", class: "HomeTask", in: "Bbb_OpenCoreDataTests.resources", of: folder)
        let folders = ["Aaa_Aaa.resources", "Bbb_OpenCoreDataTests.resources"].map(folder.file)
        let model = try ModelFinder.model(named: "Shop", in: folders)
        #expect(model.entitiesByName["Book"]?.managedObjectClassName == "HomeTask")
    }
}
