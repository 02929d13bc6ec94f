package import Foundation
package import OpenCoreData

/// Compares a migrated store with the old one before it takes the old one's place.
package struct MigrationProof {
    package let plan: MigrationPlan
    package let old: StoreCensus
    package let findingsBefore: [StoreFinding]

    private var objectCount = 0
    private var comparedEntities = 0
    private var comparedRelationships = 0

    package init(plan: MigrationPlan, old: StoreCensus, findingsBefore: [StoreFinding]) {
        self.plan = plan
        self.old = old
        self.findingsBefore = findingsBefore
    }

    /// Checks numbers of objects and of relationships, and that the store is sound.
    ///
    /// - Parameter isInPlace: Whether there is no old store any longer.
    /// - Throws: A sentence with the first few differences.
    package mutating func check(
        _ draft: URL, _ destination: ModelSource, findings: [StoreFinding], isInPlace: Bool = false
    ) throws {
        let new = try StoreCensus(storeURL: draft, source: destination)
        var problems = compareObjects(new)
        problems += compareLinks(new)
        if findings.count > findingsBefore.count, let first = findings.first { problems.append(first.message) }
        objectCount = new.objects.values.reduce(0, +)
        guard problems.isEmpty else {
            let shown = problems.prefix(3).joined(separator: "; ")
            let rest = problems.count > 3 ? "; and \(problems.count - 3) more" : ""
            let outcome =
                isInPlace
                ? "The store was migrated, but isn't correct"
                : "The migrated store isn't correct, so the old one was left unchanged"
            throw ToolFailure("\(outcome): \(shown)\(rest)")
        }
    }

    /// What was done, as a sentence.
    package func summary(_ name: String) -> String {
        let objects = objectCount == 1 ? "object" : "objects"
        let entities = comparedEntities == 1 ? "entity" : "entities"
        let relationships = comparedRelationships == 1 ? "relationship" : "relationships"
        return "\(name) was migrated: \(objectCount) \(objects); the numbers of \(comparedEntities) \(entities) and "
            + "\(comparedRelationships) \(relationships) are as expected."
    }

    private mutating func compareObjects(_ new: StoreCensus) -> [String] {
        var problems: [String] = []
        let groups = Dictionary(grouping: plan.changes.filter { $0.destination != nil }) {
            $0.destination?.name ?? ""
        }
        for (name, changes) in groups.sorted(by: { $0.key < $1.key }) {
            guard changes.allSatisfy(\.isRuled), changes.first?.destination?.isAbstract == false else { continue }
            let expected = changes.reduce(0) { $0 + (old.objects[$1.source?.name ?? ""] ?? 0) }
            let found = new.objects[name] ?? 0
            comparedEntities += 1
            if found != expected { problems.append("\(name) has \(found) objects instead of \(expected)") }
        }
        return problems
    }

    private mutating func compareLinks(_ new: StoreCensus) -> [String] {
        // An object that is made by code, or left behind, takes links with it; a link to nothing need not be kept.
        let isWhole =
            findingsBefore.isEmpty
            && plan.changes.allSatisfy { $0.isRuled && $0.destination != nil }
        var problems: [String] = []
        for change in plan.changes where change.isRuled {
            guard let source = change.source, let destination = change.destination else { continue }
            for mapping in change.mapping.relationshipMappings ?? [] {
                guard let key = MigrationPlan.sourceKey(mapping), let name = mapping.name,
                    let before = source.relationshipsByName[key], let after = destination.relationshipsByName[name],
                    before.isToMany == after.isToMany,
                    let expected = old.links[StoreCensus.key(source, before)],
                    let found = new.links[StoreCensus.key(destination, after)]
                else { continue }
                comparedRelationships += 1
                guard found > expected || (isWhole && found < expected) else { continue }
                problems.append(
                    "\(StoreCensus.key(destination, after)) leads to \(found) objects instead of \(expected)")
            }
        }
        return problems
    }
}
