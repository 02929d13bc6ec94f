import Foundation
import ModelCodeGeneration
import OpenCoreData

/// Works out the classes with `@Model` of a model, so that their version hashes are the model's.
struct ModelClassPlanner {
    let model: NSManagedObjectModel
    let values: EnumerationValues
    /// What the classes can't say.
    private(set) var leftOut: [String] = []
    /// The names of types that are taken.
    private var names: Set<String> = []
    private var planned: [String: ModelClass] = [:]

    init(_ model: NSManagedObjectModel, _ values: EnumerationValues) {
        self.model = model
        self.values = values
    }

    /// The classes, superclasses before their subclasses.
    ///
    /// - Throws: `ToolFailure` for an entity that no class can have the name of.
    mutating func classes() throws -> [ModelClass] {
        let entities = model.entities.sorted { ($0.depth, $0.name ?? "") < ($1.depth, $1.name ?? "") }
        names = Set(entities.compactMap(\.name))
        for entity in entities {
            guard let name = entity.name, SwiftIdentifier.isValid(name) else {
                throw ToolFailure("No class can have the name of the entity \(entity.name ?? "").")
            }
            planned[name] = plan(entity, name)
        }
        return entities.compactMap { entity in entity.name.flatMap { planned[$0] } }
    }

    private mutating func plan(_ entity: NSEntityDescription, _ name: String) -> ModelClass {
        var result = ModelClass(name: name)
        result.parent = entity.superentity?.name
        result.hasSubclasses = !entity.subentities.isEmpty
        result.inherited = result.parent.flatMap { planned[$0]?.required } ?? []
        if entity.isAbstract { leftOut.append("\(name) is abstract; a class with @Model can't be.") }
        var single: Set<String> = []
        for list in entity.uniquenessConstraints.map({ $0.compactMap(Self.name) }) {
            if list.count == 1, entity.attributesByName[list[0]] != nil {
                single.insert(list[0])
            } else if !list.isEmpty {
                result.unique.append(list)
            }
        }
        result.indexes = entity.indexes.map { $0.elements.compactMap { $0.property?.name } }.filter { !$0.isEmpty }
        for attribute in entity.ownAttributes {
            add(attribute, isUnique: single.contains(attribute.name), to: &result)
        }
        for relationship in entity.ownRelationships { add(relationship, to: &result) }
        for property in entity.properties where property is NSFetchedPropertyDescription {
            leftOut.append("\(name).\(property.name) is a fetched property, which SwiftData doesn't have.")
        }
        return result
    }

    private static func name(_ part: Any) -> String? { part as? String ?? (part as? NSPropertyDescription)?.name }

    // MARK: Attributes

    private mutating func add(_ attribute: NSAttributeDescription, isUnique: Bool, to result: inout ModelClass) {
        let path = "\(result.name).\(attribute.name)"
        if attribute is NSDerivedAttributeDescription {
            leftOut.append("\(path) is derived, which SwiftData doesn't have.")
            return
        }
        guard SwiftIdentifier.isValid(attribute.name), let type = type(of: attribute, in: &result) else {
            leftOut.append("\(path) has a name or a type that no property can have.")
            return
        }
        var property = ModelClass.Property(
            name: attribute.name, type: type + (attribute.isOptional ? "?" : ""),
            initial: attribute.isOptional ? "nil" : nil)
        if let value = initial(of: attribute, type) { property.initial = value }
        let marks = marks(of: attribute, isUnique: isUnique)
        if !marks.isEmpty { property.marks = ["@Attribute(\(marks.joined(separator: ", ")))"] }
        result.properties.append(property)
    }

    private func marks(of attribute: NSAttributeDescription, isUnique: Bool) -> [String] {
        var marks: [String] = []
        if isUnique { marks.append(".unique") }
        if attribute.allowsExternalBinaryDataStorage { marks.append(".externalStorage") }
        if attribute.preservesValueInHistoryOnDeletion { marks.append(".preserveValueOnDeletion") }
        if attribute.allowsCloudEncryption { marks.append(".allowsCloudEncryption") }
        if attribute.isTransient { marks.append(".ephemeral") }
        let isTransformed = attribute.attributeType == .transformableAttributeType && Self.element(attribute) == nil
        if isTransformed, !attribute.isTransient {
            let name = attribute.valueTransformerName ?? "NSSecureUnarchiveFromData"
            marks.append(".transformable(by: \(SourceText.literal(name)))")
        }
        return marks + names(of: attribute)
    }

    private func names(of property: NSPropertyDescription) -> [String] {
        var marks: [String] = []
        if let name = property.renamingIdentifier, name != property.name {
            marks.append("originalName: \(SourceText.literal(name))")
        }
        if let modifier = property.versionHashModifier { marks.append("hashModifier: \(SourceText.literal(modifier))") }
        return marks
    }

    /// The type of the elements of a list of plain values.
    private static func element(_ attribute: NSAttributeDescription) -> String? {
        guard let name = attribute.attributeValueClassName, name.hasPrefix("Array<"), name.hasSuffix(">") else {
            return nil
        }
        let element = String(name.dropFirst(6).dropLast())
        return ["String", "Int", "Bool", "Double", "Float", "Date", "UUID", "Data", "URL"].contains(element)
            ? element : nil
    }

    private mutating func type(of attribute: NSAttributeDescription, in result: inout ModelClass) -> String? {
        if let composite = attribute as? NSCompositeAttributeDescription { return type(of: composite, in: &result) }
        if attribute.attributeType == .transformableAttributeType {
            return Self.element(attribute).map { "[\(qualified($0))]" } ?? qualified("NSObject")
        }
        return plainType(attribute).map(qualified)
    }

    private func plainType(_ attribute: NSAttributeDescription) -> String? {
        switch attribute.attributeType {
        case .integer16AttributeType: "Int16"
        case .integer32AttributeType: "Int32"
        case .integer64AttributeType: "Int"
        case .decimalAttributeType: "Decimal"
        case .doubleAttributeType: "Double"
        case .floatAttributeType: "Float"
        case .stringAttributeType: "String"
        case .booleanAttributeType: "Bool"
        case .dateAttributeType: "Date"
        case .binaryDataAttributeType: "Data"
        case .UUIDAttributeType: "UUID"
        case .URIAttributeType: "URL"
        default: nil
        }
    }

    /// A type of Swift or Foundation, with its module where a type of the model has the name.
    private func qualified(_ name: String) -> String {
        guard names.contains(name) else { return name }
        let isSwift = name.hasPrefix("Int") || ["Double", "Float", "String", "Bool"].contains(name)
        return "\(isSwift ? "Swift" : "Foundation").\(name)"
    }

    private func initial(of attribute: NSAttributeDescription, _ type: String) -> String? {
        if attribute is NSCompositeAttributeDescription {
            return attribute.defaultValue == nil ? nil : "\(type)()"
        }
        if attribute.attributeType == .transformableAttributeType {
            return attribute.isOptional || !type.hasPrefix("[") ? nil : "[]"
        }
        guard let value = attribute.defaultValue else { return nil }
        return literal(value, attribute.attributeType)
    }

    private func literal(_ value: Any, _ type: NSAttributeType) -> String? {
        switch (type, value) {
        case (.booleanAttributeType, let value as NSNumber): "\(value.boolValue)"
        case (.decimalAttributeType, let value as NSNumber):
            "\(qualified("Decimal"))(string: \"\(value.decimalValue)\", locale: nil) ?? 0"
        case (.doubleAttributeType, let value as NSNumber), (.floatAttributeType, let value as NSNumber):
            value.doubleValue.isFinite ? "\(value.doubleValue)" : nil
        case (_, let value as NSNumber): "\(value.int64Value)"
        case (.stringAttributeType, let value as String): SourceText.literal(value)
        case (.dateAttributeType, let value as Date):
            "\(qualified("Date"))(timeIntervalSinceReferenceDate: \(value.timeIntervalSinceReferenceDate))"
        case (.UUIDAttributeType, _): "\(qualified("UUID"))()"
        case (.binaryDataAttributeType, let value as Data) where value.isEmpty: "\(qualified("Data"))()"
        case (.binaryDataAttributeType, let value as Data):
            "\(qualified("Data"))(base64Encoded: \"\(value.base64EncodedString())\") ?? \(qualified("Data"))()"
        default: nil
        }
    }

    // MARK: Types of composite attributes

    private mutating func type(
        of composite: NSCompositeAttributeDescription, in result: inout ModelClass
    ) -> String? {
        switch CompositeShape(of: composite) {
        case .rawValues(let element):
            guard let raw = plainType(element), ["Int16", "Int32", "Int", "String"].contains(raw) else { return nil }
            let stored = values.values[result.name]?[composite.name] ?? []
            let name = newName(for: composite.name, in: result.name)
            let cases = cases(stored, isText: raw == "String")
            result.types.append(.rawValues(name: name, type: qualified(raw), cases: cases))
            return name
        case .cases(let cases):
            guard cases.allSatisfy(SwiftIdentifier.isValid), !cases.isEmpty else { return nil }
            let name = newName(for: composite.name, in: result.name)
            result.types.append(.cases(name: name, cases: cases))
            return name
        case .structure:
            var properties: [ModelClass.Property] = []
            for element in composite.elements {
                guard SwiftIdentifier.isValid(element.name), let type = type(of: element, in: &result) else {
                    return nil
                }
                properties.append(.init(name: element.name, type: type + "?", initial: "nil"))
            }
            let name = newName(for: composite.name, in: result.name)
            result.types.append(.structure(name: name, properties: properties))
            return name
        }
    }

    private mutating func newName(for attribute: String, in entity: String) -> String {
        let short = SwiftIdentifier.capitalized(attribute)
        var candidates = [short, entity + short].filter { !Self.used.contains($0) }[...]
        var number = 2
        while true {
            let name = candidates.popFirst() ?? "\(entity)\(short)\(number)"
            if names.insert(name).inserted { return name }
            if candidates.isEmpty { number += 1 }
        }
    }

    /// Names of types that source with models is likely to use.
    private static let used: Set<String> = [
        "Int", "Int16", "Int32", "Double", "Float", "String", "Bool", "Decimal", "Date", "Data", "UUID", "URL",
        "NSObject", "Schema", "Model", "Attribute", "Relationship", "Transient", "Type", "Self", "Any", "Protocol",
        "Set", "Array",
        "Optional", "Predicate", "Codable", "Never", "Foundation", "Swift", "SwiftData",
        "Collection", "Sequence", "Dictionary", "Character", "Error", "Result", "Task", "Index", "Unique", "Hashable",
        "Identifiable", "Comparable", "Equatable", "Sendable", "Observable",
    ]

    /// A case for each value. An enumeration must have one.
    private func cases(_ values: [AnyHashable], isText: Bool) -> [(name: String, value: String)] {
        var names: Set<String> = []
        let sorted = values.sorted { "\($0)" < "\($1)" }
        let found = sorted.enumerated().map { index, value -> (name: String, value: String) in
            let text = "\(value)"
            var name = isText ? Self.caseName(text) : "value\(text.replacing("-", with: "Minus"))"
            if !names.insert(name).inserted || name.isEmpty {
                name = "value\(index)"
                names.insert(name)
            }
            return (name, isText ? SourceText.literal(text) : text)
        }
        return found.isEmpty ? [(name: "unknown", value: isText ? "\"\"" : "0")] : found
    }

    /// `coldBrew` of "Cold brew".
    private static func caseName(_ value: String) -> String {
        let words = value.split { !($0.isLetter || $0.isNumber) }
        guard let first = words.first else { return "" }
        let start = first.prefix(1).lowercased() + first.dropFirst()
        let name = start + words.dropFirst().map { SwiftIdentifier.capitalized(String($0)) }.joined()
        return SwiftIdentifier.isValid(name) && !["self", "init", "Type", "Protocol"].contains(name) ? name : ""
    }

    // MARK: Relationships

    private mutating func add(_ relationship: NSRelationshipDescription, to result: inout ModelClass) {
        let path = "\(result.name).\(relationship.name)"
        guard SwiftIdentifier.isValid(relationship.name), let destination = relationship.destinationEntity?.name else {
            leftOut.append("\(path) has a name that no property can have, or no destination.")
            return
        }
        if relationship.isOrdered {
            leftOut.append("\(path) is ordered; an array of models has the order of the rows.")
        }
        if !relationship.isToMany, relationship.minCount > 0, !relationship.isOptional {
            leftOut.append("\(path) has the minimum 1; that of a property with @Model is 0.")
        }
        let type = SwiftIdentifier.escaped(destination)
        var property = ModelClass.Property(name: relationship.name, type: type)
        if relationship.isToMany {
            property = .init(
                name: relationship.name, type: "[\(type)]" + (relationship.isOptional ? "?" : ""), initial: "[]")
        } else if relationship.isOptional {
            property = .init(name: relationship.name, type: type + "?", initial: "nil")
        }
        property.marks = mark(of: relationship, in: result.name).map { [$0] } ?? []
        result.properties.append(property)
    }

    private func mark(of relationship: NSRelationshipDescription, in entity: String) -> String? {
        var arguments: [String] = []
        switch relationship.deleteRule {
        case .cascadeDeleteRule: arguments.append("deleteRule: .cascade")
        case .denyDeleteRule: arguments.append("deleteRule: .deny")
        case .noActionDeleteRule: arguments.append("deleteRule: .noAction")
        default: break
        }
        if relationship.isToMany, relationship.minCount > 0 {
            arguments.append("minimumModelCount: \(relationship.minCount)")
        }
        if relationship.isToMany, relationship.maxCount > 0 {
            arguments.append("maximumModelCount: \(relationship.maxCount)")
        }
        var rest = names(of: relationship)
        if let inverse = relationship.inverseRelationship, namesInverse(relationship, inverse, in: entity) {
            let owner = inverse.entity.declaring(inverse.name).name ?? ""
            let path = "inverse: \\\(SwiftIdentifier.escaped(owner)).\(SwiftIdentifier.escaped(inverse.name))"
            rest.insert(path, at: rest.first?.hasPrefix("originalName") == true ? 1 : 0)
        }
        arguments += rest
        // Without an inverse and without the mark, the classes would join it with another one.
        if arguments.isEmpty { return relationship.inverseRelationship == nil ? "@Relationship" : nil }
        return "@Relationship(\(arguments.joined(separator: ", ")))"
    }

    /// Whether it is this end that names the other one: both can't.
    private func namesInverse(
        _ relationship: NSRelationshipDescription, _ inverse: NSRelationshipDescription, in entity: String
    ) -> Bool {
        if relationship.isToMany != inverse.isToMany { return relationship.isToMany }
        return (entity, relationship.name) <= (inverse.entity.name ?? "", inverse.name)
    }
}

extension NSEntityDescription {
    /// How many superentities there are.
    fileprivate var depth: Int { superentity.map { $0.depth + 1 } ?? 0 }

    /// The entity that a property is inherited from, or this one.
    fileprivate func declaring(_ property: String) -> NSEntityDescription {
        var entity = self
        while let parent = entity.superentity, parent.propertiesByName[property] != nil { entity = parent }
        return entity
    }
}
