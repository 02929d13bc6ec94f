public import Foundation
import OpenCoreDataKit

extension NSManagedObjectModel {
    /// Makes one model of all models in bundles and in the folders of resources that the package manager puts there.
    ///
    /// A model that is damaged, and two that have different entities of one name, give a model without entities; a
    /// container that is made with it throws the reason when it is started.
    ///
    /// - Parameter bundles: The bundles.
    /// - Returns: `nil` when there are no models.
    public static func mergedModel(from bundles: [Bundle]) -> NSManagedObjectModel? {
        do {
            let files = bundles.flatMap { bundle in
                let all = ModelSearch.files(in: ModelSearch.folders(of: bundle))
                // Beside a program are the models of all targets.
                return bundle == .main ? ModelFinder.best(of: all) : all
            }
            let models = try files.map {
                try ModelSearch.model(.at($0), databaseName: $0.deletingPathExtension().lastPathComponent)
            }
            guard let merged = NSManagedObjectModel(byMerging: models) else {
                return models.isEmpty ? nil : UnusableModel(UnmergeableModels(files, models))
            }
            return merged
        } catch {
            return UnusableModel(error)
        }
    }
}

/// A model without entities that represents one that could not be made.
final class UnusableModel: NSManagedObjectModel, @unchecked Sendable {
    // @unchecked Sendable as the class above: the reason is constant.
    private let reason: any Error

    init(_ reason: any Error) {
        self.reason = reason
        super.init()
    }

    required init?(coder: NSCoder) { nil }

    /// A model that can be used.
    ///
    /// - Throws: Why it can't.
    static func checked(_ model: NSManagedObjectModel) throws -> NSManagedObjectModel {
        if let unusable = model as? UnusableModel { throw unusable.reason }
        return model
    }
}

/// Models that have different entities of one name.
struct UnmergeableModels: LocalizedError {
    /// The names of those entities, each with the files that have it.
    let entities: [String: [String]]

    init(_ files: [URL], _ models: [NSManagedObjectModel]) {
        var hashes: [String: Set<Data>] = [:]
        var found: [String: [String]] = [:]
        for (file, model) in zip(files, models) {
            for entity in model.entities {
                hashes[entity.name ?? "", default: []].insert(entity.versionHash)
                found[entity.name ?? "", default: []].append(file.lastPathComponent)
            }
        }
        entities = found.filter { name, _ in (hashes[name]?.count ?? 0) > 1 }
    }

    var errorDescription: String? {
        let clashes = entities.map { "'\($0)' (\($1.joined(separator: ", ")))" }.sorted()
        return "The models can't be merged, because they have different entities of one name: "
            + "\(clashes.joined(separator: ", "))."
    }
}
