import Foundation
package import OpenCoreData

/// A model, as JSON and as text.
package struct SchemaDocument {
    package let model: NSManagedObjectModel

    package init(model: NSManagedObjectModel) {
        self.model = model
    }

    package var json: JSONValue {
        [
            "versionIdentifiers": JSONValue(model.versionIdentifiers.map { "\($0)" }.sorted()),
            "configurations": JSONValue(model.configurations.sorted()),
            "entities": .array(model.sortedEntities.map { EntitySchema(entity: $0).json }),
        ]
    }

    package var lines: [String] {
        let identifiers = model.versionIdentifiers.map { "\($0)" }.filter { !$0.isEmpty }.sorted()
        var lines = ["Model of \(model.entities.count) \(model.entities.count == 1 ? "entity" : "entities")"]
        if !identifiers.isEmpty { lines.append("Version identifiers: \(identifiers.joined(separator: ", "))") }
        if !model.configurations.isEmpty {
            lines.append("Configurations: \(model.configurations.sorted().joined(separator: ", "))")
        }
        for entity in model.sortedEntities { lines += [""] + EntitySchema(entity: entity).lines }
        return lines
    }
}
