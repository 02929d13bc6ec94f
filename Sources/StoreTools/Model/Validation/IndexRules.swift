/// What can be wrong with the fetch indexes and uniqueness constraints of an entity.
package struct IndexRules {
    package let model: CheckedModel
    package let entity: CheckedEntity

    package func findings() -> [ModelFinding] {
        entity.indexes.enumerated().flatMap { findings(of: $0.element, at: $0.offset) }
            + entity.constraints.flatMap(findings)
    }

    private func finding(
        _ severity: ModelFinding.Severity, _ rule: String, _ line: Int?, _ message: String
    ) -> ModelFinding {
        ModelFinding(severity: severity, rule: rule, entity: entity.name, line: line ?? entity.line, message: message)
    }

    private func findings(of index: CheckedIndex, at position: Int) -> [ModelFinding] {
        var findings: [ModelFinding] = []
        if entity.indexes[..<position].contains(where: { $0.name == index.name }) {
            findings.append(finding(.error, "index", index.line, "There are two fetch indexes named \(index.name)."))
        }
        for path in index.properties {
            let first = path.split(separator: ".").first.map(String.init) ?? path
            guard let property = model.property(first, of: entity) else {
                findings.append(
                    finding(
                        .error, "index", index.line,
                        "The fetch index \(index.name) names \(first), which is not a property of the entity."))
                continue
            }
            if property.isTransient {
                findings.append(
                    finding(
                        .warning, "index", index.line,
                        "The fetch index \(index.name) names \(first), which is transient, so it has no column."))
            } else if property.kind == .relationship, property.isToMany {
                findings.append(
                    finding(
                        .warning, "index", index.line,
                        "The fetch index \(index.name) names \(first), a to-many relationship, which has no column."))
            }
        }
        return findings
    }

    private func findings(of constraint: [String]) -> [ModelFinding] {
        let title = "The uniqueness constraint (\(constraint.joined(separator: ", ")))"
        return constraint.compactMap { path in
            let name = path.split(separator: ".").first.map(String.init) ?? path
            guard let property = model.property(name, of: entity) else {
                return finding(
                    .error, "constraint", nil, "\(title) names \(name), which is not a property of the entity.")
            }
            if property.isTransient || property.kind == .fetchedProperty {
                return finding(.warning, "constraint", nil, "\(title) names \(name), which is not stored.")
            }
            guard property.kind == .relationship, property.isToMany else { return nil }
            return finding(.warning, "constraint", nil, "\(title) names \(name), a to-many relationship.")
        }
    }
}
