import CampaignCore
import Foundation
import OpenCoreData

/// Damaged stores of each kind: opened, read, changed, saved and checked. Each step works or gives an error with a
/// sentence.
struct StoreCampaign: Campaign {
    struct Input: Codable {
        var damage: StoreDamage
        /// The damaged files by their path in the store's folder.
        var files: [String: Data]
        /// What stands in the place of files, by their path.
        var substitutes: [String: FileSubstitute]?
    }

    static let name = "stores"
    static let summary = "Damaged SQLite, XML and binary stores, logs and external files: opened, read, changed, saved."
    static let aim = "100,000 of each kind of damage"
    static let casesPerProcess = 300

    private let isPlanted: Bool
    private let folder: URL
    private var templates: [String: StoreTemplate] = [:]

    init(_ workspace: Workspace) throws {
        isPlanted = workspace.isPlanted
        folder = workspace.folder
        for damage in StoreDamage.allCases {
            let key = Self.key(damage)
            guard templates[key] == nil else { continue }
            templates[key] = try StoreTemplate(
                type: damage.storeType, keepsLog: damage == .log, in: folder.appendingPathComponent("template"))
        }
    }

    private static func key(_ damage: StoreDamage) -> String { damage == .log ? "log" : damage.storeType }

    mutating func input(_ index: Int, _ random: inout SplitMix64) throws -> Input {
        let kinds = StoreDamage.allCases
        let damage = kinds[index % kinds.count]
        var files = templates[Self.key(damage)]?.files ?? [:]
        let name = StoreTemplate.name
        if damage.isDoneBySQL {
            let location = folder.appendingPathComponent("damage")
            try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: location) }
            try StoreTemplate.write(files, to: location)
            if damage == .external, random.chance(60) {
                damageExternalFiles(&files, &random)
            } else {
                try SQLDamage.run(damage, at: location.appendingPathComponent(name), random)
                files = try StoreTemplate.read(location)
            }
            return Input(damage: damage, files: files)
        }
        if damage == .links {
            let substitutes = FileSubstitute.some(for: &files, store: name, &random)
            return Input(damage: damage, files: files, substitutes: substitutes)
        }
        guard damage != .none else { return Input(damage: damage, files: files) }
        let target = damage == .log ? name + "-wal" : name
        let unit = damage == .xml ? 80 : damage == .binary ? 64 : 4_096
        files[target] = ByteDamage.damaged(files[target] ?? Data(), &random, unit: unit)
        return Input(damage: damage, files: files)
    }

    private func damageExternalFiles(_ files: inout [String: Data], _ random: inout SplitMix64) {
        for name in files.keys.sorted() where name.contains("_EXTERNAL_DATA") {
            switch random.below(4) {
            case 0: files[name] = nil
            case 1: files[name] = Data()
            case 2: files[name] = ByteDamage.damaged(files[name] ?? Data(), &random)
            default:
                // A folder where the file was.
                files[name + "/file"] = files.removeValue(forKey: name)
            }
        }
    }

    mutating func run(_ input: Input, _ trial: Trial) throws {
        trial.count(input.damage.rawValue)
        let folder = try trial.folder()
        let location = folder.appendingPathComponent("stores")
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
        try StoreTemplate.write(input.files, to: location)
        let privateFiles = try PrivateFiles(in: folder.appendingPathComponent("private"))
        for (path, substitute) in (input.substitutes ?? [:]).sorted(by: { $0.key < $1.key }) {
            try substitute.put(at: location.appendingPathComponent(path), privateFiles)
        }
        let exercise = StoreExercise(
            url: location.appendingPathComponent(StoreTemplate.name), type: input.damage.storeType, trial: trial,
            isPlanted: isPlanted, isSound: input.damage == .none)
        do {
            try exercise.run()
            try privateFiles.verify(
                allowsNew: input.substitutes?[StoreTemplate.name] == .danglingLink)
        } catch let failure as CampaignFailure {
            throw CampaignFailure("\(input.damage.rawValue): \(failure.title)", failure.detail)
        }
    }
}
