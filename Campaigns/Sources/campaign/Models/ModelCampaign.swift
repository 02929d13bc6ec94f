import CampaignCore
import Foundation
import OpenCoreData
import TestSupport

/// Damaged models in each form: a model that can be used, or an error with a sentence.
struct ModelCampaign: Campaign {
    enum Form: String, Codable, CaseIterable {
        case compiled, cache, source, mapping, mappingSource

        var fileExtension: String {
            switch self {
            case .compiled: "mom"
            case .cache: "cache"
            case .source: "xcdatamodel"
            case .mapping: "cdm"
            case .mappingSource: "xcmappingmodel"
            }
        }
    }

    struct Input: Codable {
        var form: Form
        var data: Data
    }

    static let name = "models"
    static let summary = "Damaged .mom files, model caches, .xcdatamodel sources and mapping models."
    static let aim = "1,000,000"
    static let casesPerProcess = 5_000
    static let secondsPerCase = 60

    private let isPlanted: Bool
    private var samples: [(form: Form, data: Data)] = []
    /// The lines of samples that are text, by the sample's index.
    private var lines: [Int: [String]] = [:]

    init(_ workspace: Workspace) throws {
        isPlanted = workspace.isPlanted
        var random = RandomSource(seed: 5)
        let models =
            BankModel.Version.allCases.map { BankModel.make($0) } + [LibraryModel.make()]
            + (0..<3).map { _ in RandomModel.make(&random) }
        for model in models {
            samples.append((.compiled, try model.encodedCompiledModel()))
            samples.append((.cache, try model.encodedModelCache()))
            samples.append((.source, try ModelSourceDocument(model: model).data))
        }
        // Files by Apple's tools, where the machine has them.
        for path in Fixtures.files(withExtensions: "mom") where !path.contains("omo") {
            samples.append((.compiled, try Fixtures.data(path)))
        }
        for path in Fixtures.files(withExtensions: "cdm") { samples.append((.mapping, try Fixtures.data(path))) }
        for path in Fixtures.files(withExtensions: "xcmappingmodel") {
            guard let data = try? Fixtures.data(path + "/xcmapping.xml") else { continue }
            samples.append((.mappingSource, data))
        }
        for (position, sample) in samples.enumerated() where sample.form == .source || sample.form == .mappingSource {
            lines[position] = String(decoding: sample.data, as: UTF8.self)
                .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
    }

    func input(_ index: Int, _ random: inout SplitMix64) throws -> Input {
        let forms = Form.allCases.filter { form in samples.contains { $0.form == form } }
        let form = forms[index % forms.count]
        let position = random.pick(samples.indices.filter { samples[$0].form == form })
        let data = samples[position].data
        // Damage behind the compression, which would find out any other.
        if form == .cache, random.chance(80) {
            let archive = ByteDamage.damaged(try Inflate.decompress(data), &random, unit: 64)
            return Input(form: form, data: Deflate.compress(archive))
        }
        guard let lines = lines[position], random.chance(60) else {
            return Input(form: form, data: ByteDamage.damaged(data, &random, unit: 64))
        }
        return Input(form: form, data: Self.withChangedWords(lines, &random))
    }

    private static let words = [
        "", "YES", "NO", "-1", "0", "1", "99999999999999999999", "NaN", "Integer 16", "Transformable", "Composite",
        "Undefined", "Cascade", "Book", "Account", "A", "\u{FFFD}", "&lt;", "1e999", "-9223372036854775808", "nil",
    ]

    /// Exchanges values of attributes, and drops, doubles or moves elements.
    private static func withChangedWords(_ lines: [String], _ random: inout SplitMix64) -> Data {
        var lines = lines
        for _ in 0...random.below(4) {
            guard !lines.isEmpty else { break }
            let index = random.below(lines.count)
            switch random.below(6) {
            case 0: lines.remove(at: index)
            case 1: lines.insert(lines[index], at: random.below(lines.count))
            case 2: lines.swapAt(index, random.below(lines.count))
            default:
                var parts = lines[index].split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
                guard parts.count > 2 else { continue }
                let value = 1 + 2 * random.below(parts.count / 2)
                let other = random.pick(lines).split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
                parts[value] = random.chance(50) && other.count > 2 ? other[1] : random.pick(words)
                lines[index] = parts.joined(separator: "\"")
            }
        }
        return Data(lines.joined(separator: "\n").utf8)
    }

    mutating func run(_ input: Input, _ trial: Trial) throws {
        let name = input.form.rawValue
        do {
            switch input.form {
            case .compiled: try use(NSManagedObjectModel.decode(compiledModel: input.data), trial)
            case .cache: try use(NSManagedObjectModel.decode(modelCache: input.data), trial)
            case .source: try use(ModelSourceDocument(data: input.data).model(), trial)
            case .mapping, .mappingSource: try useMapping(input, trial)
            }
            trial.count("\(name): read")
        } catch let failure as CampaignFailure {
            throw CampaignFailure("\(name): \(failure.title)", failure.detail)
        } catch {
            trial.count("\(name): refused")
            do { try Sentences.check(error) } catch let failure as CampaignFailure {
                throw CampaignFailure("\(name): \(failure.title)", failure.detail)
            }
        }
    }

    private func useMapping(_ input: Input, _ trial: Trial) throws {
        var url = try trial.folder().appendingPathComponent("Mapping.\(input.form.fileExtension)")
        if input.form == .mappingSource {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            url.appendPathComponent("xcmapping.xml")
        }
        try input.data.write(to: url)
        let file = input.form == .mappingSource ? url.deletingLastPathComponent() : url
        let mapping = try NSMappingModel(contentsOfMappingFile: file)
        for entity in mapping.entityMappings ?? [] {
            _ = (entity.name, entity.sourceEntityName, entity.destinationEntityName, entity.mappingType)
            for property in (entity.attributeMappings ?? []) + (entity.relationshipMappings ?? []) {
                _ = (property.name, property.valueExpression?.description)
            }
        }
    }

    /// What a program does with a model.
    private func use(_ model: NSManagedObjectModel, _ trial: Trial) throws {
        let problems = model.problems()
        precondition(!isPlanted || problems.isEmpty, "The planted defect: a program that trusts each model.")
        _ = model.entityVersionHashesByName
        _ = model.entitiesInStoreOrder
        _ = try model.encodedCompiledModel()
        _ = try ModelSourceDocument(model: model).data
        guard problems.isEmpty else { return trial.count("models with problems") }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for entity in model.entities where !entity.isAbstract {
                let object = NSManagedObject(entity: entity, insertInto: context)
                for name in entity.attributesByName.keys { _ = object.value(forKey: name) }
                for name in entity.relationshipsByName.keys { _ = object.value(forKey: name) }
            }
            try context.save()
            for entity in model.entities {
                _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? ""))
            }
        }
        trial.count("models in use")
    }
}
