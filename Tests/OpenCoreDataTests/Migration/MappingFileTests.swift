import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Mapping models from files: Apple's compiled form and Xcode's source.
@Suite(.enabled(if: Fixtures.available)) struct MappingFileTests {
    static let folder = "coredataplus/SampleModel"

    static func compiled() throws -> NSMappingModel {
        try NSMappingModel(contentsOfMappingFile: Fixtures.url("\(folder)/V2toV3.cdm"))
    }

    static func model(_ version: Int) throws -> NSManagedObjectModel {
        let name = version == 1 ? "SampleModel" : "SampleModel\(version)"
        return try NSManagedObjectModel(contentsOfModelFile: Fixtures.url("\(folder)/SampleModel.momd/\(name).mom"))
    }

    /// All of a mapping model as text.
    static func summary(_ model: NSMappingModel) -> [String] {
        model.entityMappings.map { mapping in
            func list(_ mappings: [NSPropertyMapping]?) -> String {
                (mappings ?? []).map { "\($0.name ?? "-") = \($0.valueExpression?.description ?? "-")" }
                    .joined(separator: "; ")
            }
            return [
                mapping.name, "\(mapping.mappingType)", mapping.sourceEntityName ?? "-",
                mapping.destinationEntityName ?? "-", mapping.sourceEntityVersionHash?.base64EncodedString() ?? "-",
                mapping.destinationEntityVersionHash?.base64EncodedString() ?? "-",
                mapping.entityMigrationPolicyClassName ?? "-", mapping.sourceExpression?.description ?? "-",
                list(mapping.attributeMappings), list(mapping.relationshipMappings),
            ].joined(separator: " | ")
        }
    }

    @Test func aCompiledMappingModelHasItsMappingsInOrder() throws {
        let model = try Self.compiled()
        #expect(
            model.entityMappings.map(\.name) == [
                "CarToCar", "LuxuryCarToLuxuryCar", "PersonToPerson", "SportCarToSportCar", "Maker",
            ])
        #expect(
            model.entityMappings.map(\.mappingType) == [
                .customEntityMappingType, .customEntityMappingType, .copyEntityMappingType, .customEntityMappingType,
                .addEntityMappingType,
            ])
        let car = try #require(model.entityMappingsByName["CarToCar"])
        #expect(car.entityMigrationPolicyClassName == "REPLACE_AT_RUNTIME.V2to3MakerPolicy")
        #expect(car.sourceEntityVersionHash == (try Self.model(2).entitiesByName["Car"]?.versionHash))
        #expect(car.destinationEntityVersionHash == (try Self.model(3).entitiesByName["Car"]?.versionHash))
        #expect(car.attributeMappings?.map(\.name) == ["markedForDeletionAsOf", "model", "numberPlate"])
        #expect(car.attributeMappings?.last?.valueExpression == NSExpression(format: "$source.numberPlate"))
        #expect(car.relationshipMappings?.map(\.name) == ["createdBy", "owner", "previousOwners"])
        let maker = try #require(model.entityMappingsByName["Maker"])
        #expect(maker.sourceEntityName == nil)
        #expect(maker.sourceExpression == nil)
        #expect(maker.attributeMappings?.first?.valueExpression == nil)
    }

    // Behaviour 10.5
    @Test func customMappingsCallTheManager() throws {
        let car = try #require(try Self.compiled().entityMappingsByName["CarToCar"])
        let owner = try #require(car.relationshipMappings?[1].valueExpression)
        #expect(owner.function == "destinationInstancesForEntityMappingNamed:sourceInstances:")
        #expect(owner.operand == NSExpression(forVariable: "manager"))
        #expect(owner.arguments?.first?.constantValue as? String == "PersonToPerson")
        #expect(owner.arguments?.last == NSExpression(format: "$source.owner"))
        let source = try #require(car.sourceExpression as? NSFetchRequestExpression)
        #expect(!source.isCountOnlyRequest)
        #expect(source.requestExpression.function == "fetchRequestForSourceEntityNamed:predicateString:")
        #expect(source.contextExpression == NSExpression(format: "$manager.sourceContext"))
        #expect(source.description.hasPrefix("FETCH("))
    }

    @Test func sourceAndCompiledFormAreEqual() throws {
        let source = try NSMappingModel(contentsOfMappingFile: Fixtures.url("\(Self.folder)/V2toV3.xcmappingmodel"))
        let compiled = try Self.compiled()
        #expect(Self.summary(source) == Self.summary(compiled))
        for (one, other) in zip(source.entityMappings, compiled.entityMappings) {
            #expect(one.sourceExpression == other.sourceExpression)
            let pairs = zip(
                (one.attributeMappings ?? []) + (one.relationshipMappings ?? []),
                (other.attributeMappings ?? []) + (other.relationshipMappings ?? []))
            for (first, second) in pairs { #expect(first.valueExpression == second.valueExpression) }
        }
    }

    @Test func sourceFarFromItsModelsUsesTheCopiesItHolds() throws {
        let folder = try TemporaryFolder()
        let copy = folder.file("Moved.xcmappingmodel")
        try FileManager.default.copyItem(at: Fixtures.url("\(Self.folder)/V2toV3.xcmappingmodel"), to: copy)
        let moved = try NSMappingModel(contentsOfMappingFile: copy)
        #expect(Self.summary(moved) == Self.summary(try Self.compiled()))
    }

    @Test(arguments: ["V2toV3.cdm", "V2toV3.xcmappingmodel"])
    func aBundleGivesTheMappingModelThatFitsTheModels(_ name: String) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(at: Fixtures.url("\(Self.folder)/\(name)"), to: folder.file(name))
        let bundle = try #require(Bundle(path: folder.url.path))
        let second = try Self.model(2)
        let third = try Self.model(3)
        let found = NSMappingModel(from: [bundle], forSourceModel: second, destinationModel: third)
        #expect(found.map(Self.summary) == Self.summary(try Self.compiled()))
        #expect(NSMappingModel(from: [bundle], forSourceModel: third, destinationModel: second) == nil)
        #expect(NSMappingModel(from: [bundle], forSourceModel: try Self.model(1), destinationModel: second) == nil)
        #expect(NSMappingModel(from: [], forSourceModel: second, destinationModel: third) == nil)
    }

    @Test func whatIsNoMappingModelIsNil() throws {
        let folder = try TemporaryFolder()
        #expect(NSMappingModel(contentsOf: nil) == nil)
        #expect(NSMappingModel(contentsOf: folder.file("Missing.cdm")) == nil)
        #expect(NSMappingModel(contentsOf: folder.url) == nil)
        #expect(NSMappingModel(contentsOf: try Fixtures.url("\(Self.folder)/SampleModel.momd/SampleModel.mom")) == nil)
    }

    // MARK: Hostile files

    static func read(_ data: Data, in folder: TemporaryFolder) throws {
        let url = folder.file("Hostile.cdm")
        try data.write(to: url)
        _ = try NSMappingModel(contentsOfMappingFile: url).entityMappings.map(\.description)
    }

    @Test func damagedArchivesAreErrorsOrMappings() throws {
        let folder = try TemporaryFolder()
        let archive = try Fixtures.data("\(Self.folder)/V2toV3.cdm")
        for length in stride(from: 0, to: archive.count, by: 97) {
            #expect(throws: CocoaError.self) { try Self.read(archive.prefix(length), in: folder) }
        }
        var generator = SeededGenerator(seed: 11)
        for round in 0..<800 {
            var damaged = archive
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<damaged.count, using: &generator)
                damaged[index] = UInt8.random(in: 0...255, using: &generator)
            }
            HostileModelTests.expectTypedError("seed 11, round \(round)") { try Self.read(damaged, in: folder) }
        }
    }

    @Test func damagedSourceIsAnErrorOrMappings() throws {
        let folder = try TemporaryFolder()
        let source = try Fixtures.data("\(Self.folder)/V2toV3.xcmappingmodel/xcmapping.xml")
        var generator = SeededGenerator(seed: 12)
        for round in 0..<60 {
            var damaged = source
            for _ in 0..<Int.random(in: 1...30, using: &generator) {
                let index = Int.random(in: 0..<damaged.count, using: &generator)
                damaged[index] = UInt8.random(in: 32...126, using: &generator)
            }
            HostileModelTests.expectTypedError("seed 12, round \(round)") { try Self.read(damaged, in: folder) }
        }
    }

    @Test func sourceWithLoopsAndUnknownNamesIsAnErrorThatNamesThem() throws {
        let folder = try TemporaryFolder()
        let source = String(
            decoding: try Fixtures.data("\(Self.folder)/V2toV3.xcmappingmodel/xcmapping.xml"), as: UTF8.self)
        func expect(_ part: String, _ old: String, _ new: String) throws {
            #expect(source.contains(old))
            let data = Data(source.replacingOccurrences(of: old, with: new).utf8)
            HostileModelTests.expectError({ try Self.read(data, in: folder) }, says: part)
        }
        try expect("z999", "idrefs=\"z115 z119 z111", "idrefs=\"z115 z999 z111")
        try expect("z129", "idrefs=\"z115 z119 z111", "idrefs=\"z115 z129 z111")
        try expect("z115", "idrefs=\"z115 z119 z111", "idrefs=\"z115 z115 z111")
        try expect("Truck", "type=\"string\">SportCar<", "type=\"string\">Truck<")
        try expect("color", "type=\"string\">isLimitedEdition<", "type=\"string\">color<")
        try expect("Undone", "type=\"string\">Undefined<", "type=\"string\">Undone<")
    }
}
