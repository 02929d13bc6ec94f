import Foundation
package import OpenCoreData

/// What a migration does with each entity and property, for people and for the proof.
package struct MigrationPlan {
    /// What becomes of one entity.
    package struct EntityChange {
        package let mapping: NSEntityMapping
        package let source: NSEntityDescription?
        package let destination: NSEntityDescription?
        /// The properties that changed, as words and names.
        package let properties: [(word: String, name: String)]

        /// Whether the objects are made by rules alone, so that their number is known.
        package let isRuled: Bool

        package var word: String {
            switch (source, destination) {
            case (nil, _): "added"
            case (_, nil): "removed"
            case (let source?, let destination?):
                if !isRuled {
                    "mapped"
                } else if source.name != destination.name {
                    "renamed"
                } else {
                    source.versionHash == destination.versionHash ? "unchanged" : "changed"
                }
            }
        }

        package var title: String {
            guard let old = source?.name, let new = destination?.name else {
                return source?.name ?? destination?.name ?? ""
            }
            return old == new ? new : "\(old) → \(new)"
        }
    }

    package let changes: [EntityChange]
    package let keepsIdentifiers: Bool

    package init(_ migration: InspectedMigration) {
        let isInferred = migration.mapping.isInferred
        keepsIdentifiers = isInferred
        changes = (migration.mapping.entityMappings ?? []).map { mapping in
            let source = mapping.sourceEntityName.flatMap { migration.sourceModel.entitiesByName[$0] }
            let destination = mapping.destinationEntityName.flatMap { migration.destinationModel.entitiesByName[$0] }
            return EntityChange(
                mapping: mapping, source: source, destination: destination,
                properties: Self.properties(mapping, source, destination),
                isRuled: isInferred || Self.isRuled(mapping))
        }
    }

    /// Whether a mapping from a file makes one object of each object, by itself.
    private static func isRuled(_ mapping: NSEntityMapping) -> Bool {
        guard mapping.entityMigrationPolicyClassName == nil, mapping.mappingType != .customEntityMappingType else {
            return false
        }
        guard let source = mapping.sourceExpression as? NSFetchRequestExpression else {
            return mapping.sourceExpression == nil
        }
        return source.requestExpression.description.contains("TRUEPREDICATE")
    }

    /// The old name of the property that a mapping takes its value from; nil when it is computed in another way.
    package static func sourceKey(_ mapping: NSPropertyMapping?) -> String? {
        guard let expression = mapping?.valueExpression, expression.expressionType == .function else { return nil }
        if expression.function == "valueForKeyPath:" || expression.function == "valueForKey:" {
            guard expression.operand.expressionType == .variable, expression.operand.variable == "source",
                let path = expression.arguments?.first, path.expressionType == .keyPath
            else { return nil }
            return path.keyPath
        }
        guard expression.function.hasPrefix("destinationInstancesFor"), let last = expression.arguments?.last else {
            return nil
        }
        let inner = NSPropertyMapping()
        inner.valueExpression = last
        return sourceKey(inner)
    }

    private static func properties(
        _ mapping: NSEntityMapping, _ source: NSEntityDescription?, _ destination: NSEntityDescription?
    ) -> [(word: String, name: String)] {
        guard let source, let destination else { return [] }
        let mappings = Dictionary(
            ((mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])).map { ($0.name ?? "", $0) },
            uniquingKeysWith: { first, _ in first })
        var result: [(word: String, name: String)] = []
        var used: Set<String> = []
        for property in stored(destination) {
            let name = property.name
            let isInherited = destination.superentity?.propertiesByName[name] != nil
            let mapping = mappings[name]
            guard let key = sourceKey(mapping) else {
                let word = mapping?.valueExpression == nil ? "added" : "computed"
                if !isInherited { result.append((word, name)) }
                continue
            }
            used.insert(key)
            guard !isInherited, let old = source.propertiesByName[key] else { continue }
            if key != name {
                result.append(("renamed", "\(key) → \(name)"))
            } else if old.versionHash != property.versionHash {
                result.append(("changed", name))
            }
        }
        for property in stored(source) where !used.contains(property.name) {
            guard source.superentity?.propertiesByName[property.name] == nil else { continue }
            result.append(("removed", property.name))
        }
        return result
    }

    /// Properties that a mapping is about.
    private static func stored(_ entity: NSEntityDescription) -> [NSPropertyDescription] {
        entity.properties
            .filter {
                !$0.isTransient && !($0 is NSFetchedPropertyDescription) && !($0 is NSDerivedAttributeDescription)
            }
            .sorted { $0.name < $1.name }
    }

    /// The plan as lines, with the numbers of objects.
    package func lines(_ census: StoreCensus) -> [String] {
        var table = TextTable(columns: [
            .init("WHAT"), .init("BECOMES", isWhole: true), .init("OBJECTS", .right),
        ])
        for change in changes {
            let count = change.source.map { String(census.objects[$0.name ?? ""] ?? 0) } ?? "–"
            table.append([change.word, change.title, change.source?.isAbstract == true ? "–" : count])
            for property in change.properties {
                table.append(["  \(property.word)", "  \(property.name)", ""])
            }
        }
        return table.lines + [
            keepsIdentifiers ? "Objects keep their identifiers." : "Objects are recreated and get new identifiers."
        ]
    }
}
