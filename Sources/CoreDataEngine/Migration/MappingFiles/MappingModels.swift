import Foundation

/// The two models that a mapping model leads between.
struct MappingModels {
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel

    /// Whether the mappings are for these models: the hashes of all their entities are those of the models.
    func fit(_ mappings: [NSEntityMapping]) -> Bool { !mappings.isEmpty && mismatch(of: mappings) == nil }

    /// What doesn't fit, as a sentence; nil when all does.
    func mismatch(of mappings: [NSEntityMapping]) -> String? {
        for mapping in mappings {
            let sides = [
                ("source", mapping.sourceEntityName, mapping.sourceEntityVersionHash, source),
                ("destination", mapping.destinationEntityName, mapping.destinationEntityVersionHash, destination),
            ]
            for case (let side, let name?, let hash, let model) in sides {
                guard let entity = model.entitiesByName[name] else {
                    return "there is no entity '\(name)' in the \(side) model."
                }
                if let hash, !entity.accepts(versionHash: hash) {
                    return "the entity '\(name)' of the \(side) model is of another version."
                }
            }
        }
        return nil
    }
}
