/// One element of a model's source.
struct ModelElement {
    let file: String
    let name: String
    let line: Int
    let attributes: [String: String]

    func error(_ what: String) -> Diagnostic {
        let title = attributes["name"].map { " '\($0)'" } ?? ""
        return Diagnostic(file: file, line: line, "<\(name)>\(title) \(what)")
    }

    func required(_ key: String) throws(Diagnostic) -> String {
        guard let value = attributes[key], !value.isEmpty else { throw error("has no \(key)") }
        return value
    }

    func bool(_ key: String) throws(Diagnostic) -> Bool {
        switch attributes[key] {
        case nil, "NO", "false", "0": return false
        case "YES", "true", "1": return true
        case let other?: throw error("has \(key)=\"\(other)\", which is neither YES nor NO")
        }
    }

    func string(_ key: String) -> String? { attributes[key].flatMap { $0.isEmpty ? nil : $0 } }

    func entity() throws(Diagnostic) -> ModelEntity {
        var entity = ModelEntity(name: try required("name"), line: line)
        entity.className = string("representedClassName")
        entity.parentName = string("parentEntity")
        entity.isAbstract = try bool("isAbstract")
        entity.codeGeneration =
            switch attributes["codeGenerationType"] {
            case nil, "", "none", "manual": .manual
            case "class": .class
            case "category": .category
            case let other?: throw error("has the unknown codeGenerationType '\(other)'")
            }
        return entity
    }

    func attribute() throws(Diagnostic) -> ModelAttribute {
        let name = try required("name")
        let typeName = attributes["attributeType"] ?? ModelAttributeType.undefined.rawValue
        guard let type = ModelAttributeType(rawValue: typeName) else {
            throw error("has the unknown type '\(typeName)'")
        }
        var attribute = ModelAttribute(name: name, type: type, line: line)
        attribute.isOptional = try bool("optional")
        attribute.usesScalar = try bool("usesScalarValueType")
        let value = type == .date ? attributes["defaultDateTimeInterval"] : attributes["defaultValueString"]
        attribute.hasDefault = value.map { type == .string || !$0.isEmpty } ?? false
        attribute.customClassName = string("customClassName")
        return attribute
    }

    func relationship() throws(Diagnostic) -> ModelRelationship {
        var relationship = ModelRelationship(name: try required("name"), line: line)
        relationship.destination = string("destinationEntity")
        relationship.isToMany = try bool("toMany")
        relationship.isOrdered = try bool("ordered")
        return relationship
    }

    func fetchRequest() throws(Diagnostic) -> ModelFetchRequest {
        ModelFetchRequest(
            name: try required("name"), entity: try required("entity"), predicate: string("predicateString"), line: line
        )
    }
}
