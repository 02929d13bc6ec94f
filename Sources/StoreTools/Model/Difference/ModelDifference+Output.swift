import Foundation

extension ModelDifference {
    /// What a migration of a store from the old model to the new one is.
    package var migration: (kind: String, sentences: [String]) {
        if hashesAreEqual {
            return ("none", ["Stores don't have to be migrated: all version hashes are equal."])
        }
        guard obstacles.isEmpty else { return ("mapping model", obstacles) }
        var sentences = [
            "An inferred migration is possible. A SQLite store is migrated with SQL statements, without creating objects; "
                + "objects keep their identifiers."
        ]
        for entity in entities where entity.word == .removed {
            sentences.append("The objects of \(entity.name) are dropped.")
        }
        for entity in entities where entity.word != .removed && entity.word != .added {
            for property in entity.properties where property.word == .removed {
                sentences.append("The values of \(entity.oldName ?? entity.name).\(property.name) are dropped.")
            }
            for property in entity.properties where property.needsValue {
                sentences.append(
                    "\(entity.name).\(property.name) is required but gets no value: existing objects must be given one "
                        + "before they can be saved.")
            }
        }
        return ("inferred", sentences)
    }

    // MARK: Text

    package var lines: [String] {
        if isEmpty { return ["The models are equal.", "checksum  \(newChecksum)"] }
        var lines = ["checksum  \(oldChecksum)", "       →  \(newChecksum)"]
        if !model.isEmpty { lines += ["", "model"] + model.map(Self.line) }
        for entity in entities { lines += [""] + self.lines(of: entity) }
        let migration = self.migration
        lines += ["", "migration: \(migration.kind)"] + migration.sentences.map { "  \($0)" }
        return lines
    }

    private func lines(of entity: Change) -> [String] {
        var title = "\(entity.word.rawValue) entity \(Self.title(entity))"
        if !entity.summary.isEmpty { title += " (\(entity.summary))" }
        var lines = [title]
        switch (entity.oldHash, entity.newHash) {
        case (let old?, let new?) where old == new: lines.append("  hash  \(Self.short(new)), the same")
        case (let old?, let new?): lines.append("  hash  \(Self.short(old)) → \(Self.short(new))")
        case (let only?, nil), (nil, let only?): lines.append("  hash  \(Self.short(only))")
        case (nil, nil): break
        }
        lines += entity.facets.map(Self.line)
        for property in entity.properties {
            let sign =
                switch property.word {
                case .added: "+"
                case .removed: "-"
                case .renamed, .changed: "~"
                }
            var line = "  \(sign) \(Self.title(property))"
            if !property.summary.isEmpty { line += "  \(property.summary)" }
            lines.append(line)
            lines += property.facets.map { "    " + Self.line($0) }
        }
        return lines
    }

    private static func title(_ change: Change) -> String {
        change.oldName.map { "\($0) → \(change.name)" } ?? change.name
    }

    private static func line(_ facet: (name: String, old: String?, new: String?)) -> String {
        "  \(facet.name): \(facet.old ?? "–") → \(facet.new ?? "–")"
    }

    /// As many digits of a hash as people compare.
    private static func short(_ hash: Data) -> String {
        hash.prefix(8).map { String(format: "%02x", $0) }.joined()
    }

    // MARK: JSON

    package var json: JSONValue {
        let migration = self.migration
        return [
            "equal": .bool(isEmpty),
            "checksums": ["old": .string(oldChecksum), "new": .string(newChecksum)],
            "model": .array(model.map(Self.json)),
            "entities": .array(entities.map(Self.json)),
            "migration": ["kind": .string(migration.kind), "sentences": JSONValue(migration.sentences)],
        ]
    }

    private static func json(_ change: Change) -> JSONValue {
        [
            "name": .string(change.name), "oldName": JSONValue(change.oldName), "change": .string(change.word.rawValue),
            "oldHash": JSONValue(change.oldHash?.base64EncodedString()),
            "newHash": JSONValue(change.newHash?.base64EncodedString()),
            "facets": .array(change.facets.map(json)),
            "summary": .string(change.summary),
            "properties": .array(change.properties.map(json)),
        ]
    }

    private static func json(_ facet: (name: String, old: String?, new: String?)) -> JSONValue {
        ["name": .string(facet.name), "old": JSONValue(facet.old), "new": JSONValue(facet.new)]
    }
}
