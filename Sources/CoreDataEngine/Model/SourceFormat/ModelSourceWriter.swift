import Foundation

/// Describes a model as source, over the source that the model was read from, if any.
///
/// An attribute of the source is changed only when the model says something else than the source did, so that a model
/// that was read and not changed gives the same file. What the model does not know stays unchanged.
struct ModelSourceWriter {
    /// The attributes that a description gives an element, in Xcode's order; nil for those that are left out.
    typealias Attributes = KeyValuePairs<String, String?>

    private let model: NSManagedObjectModel
    private let previous: SourceElement?
    private let previousModel: NSManagedObjectModel?
    private let composites: CompositeTypes

    init(model: NSManagedObjectModel, previous: SourceElement?) throws {
        self.model = model
        let previousModel = previous.flatMap { try? ModelSourceReader(root: $0).model() }
        self.previousModel = previousModel
        self.previous = previousModel == nil ? nil : previous
        composites = try CompositeTypes(of: model, previous: self.previous)
    }

    func root() throws -> SourceElement {
        var items: [SourceItem] = []
        for entity in model.entities { items.append(SourceItem(try entityElement(entity))) }
        for (_, template) in model.fetchRequestTemplates.sorted(by: { $0.key < $1.key }) {
            items.append(
                SourceItem(try fetchRequestElement(template, old: previousModel?.fetchRequestTemplates[template.name])))
        }
        for name in model.configurationNames { items.append(SourceItem(configurationElement(name))) }
        items += composites.elements.map { SourceItem($0) }
        var root = previous ?? Self.freshRoot
        let old = try previousModel.map { try Self.attributes(of: $0) }
        Self.update(&root, with: try Self.attributes(of: model), old: previous == nil ? nil : old)
        let kinds = ["entity", "fetchRequest", "configuration", "composite"]
        root.children = SourceItem.arrange(items, over: previous?.children ?? [], kinds: kinds)
        return root
    }

    private static let freshRoot = SourceElement(
        "model",
        [
            "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0",
            "lastSavedToolsVersion": "22758",
            "systemVersion": "23E224", "minimumToolsVersion": "Automatic", "sourceLanguage": "Swift",
            "userDefinedModelVersionIdentifier": "",
        ])

    private static func attributes(of model: NSManagedObjectModel) throws -> Attributes {
        guard model.versionIdentifiers.count <= 1 else {
            throw ModelError.unsupported("The model has several version identifiers; model source can hold one.")
        }
        return ["userDefinedModelVersionIdentifier": model.versionIdentifiers.first.map { "\($0.base)" } ?? ""]
    }

    // MARK: Entities

    private func entityElement(_ entity: NSEntityDescription) throws -> SourceElement {
        let name = entity.name ?? ""
        let oldElement = previous?.children(named: "entity").first { $0.attributes["name"] == name }
        let old = oldElement == nil ? nil : previousModel?.entitiesByName[name]
        var element = oldElement ?? SourceElement("entity")
        Self.update(&element, with: Self.attributes(of: entity), old: old.map { Self.attributes(of: $0) })
        if oldElement == nil { element.attributes["syncable"] = "YES" }
        var items: [SourceItem] = []
        for property in entity.declaredProperties {
            let before = old?.declaredProperties.first { $0.name == property.name }
            items.append(SourceItem(try propertyElement(property, oldParent: oldElement, old: before)))
        }
        items += Self.replace(
            "compoundIndexes", in: oldElement, new: Self.compoundIndexes(of: entity),
            old: old.map { Self.compoundIndexes(of: $0) }, member: "compoundIndex", leaf: "index")
        items += try indexItems(of: entity, old: old, oldElement: oldElement)
        items += Self.replace(
            "uniquenessConstraints", in: oldElement, new: entity.uniquenessConstraintNames,
            old: old?.uniquenessConstraintNames, member: "uniquenessConstraint", leaf: "constraint")
        items += try Self.userInfo(entity.userInfo, old: old?.userInfo, in: oldElement, path: name)
        let kinds = [
            "attribute", "relationship", "fetchedProperty", "compoundIndexes", "fetchIndex", "uniquenessConstraints",
            "userInfo",
        ]
        element.children = SourceItem.arrange(items, over: oldElement?.children ?? [], kinds: kinds)
        return element
    }

    private static func attributes(of entity: NSEntityDescription) -> Attributes {
        [
            "name": entity.name ?? "", "representedClassName": entity.explicitClassName,
            "isAbstract": entity.isAbstract ? "YES" : nil, "parentEntity": entity.superentity?.name,
            "elementID": entity.explicitRenamingIdentifier, "versionHashModifier": entity.versionHashModifier,
        ]
    }

    /// The one element for a list of lists of names, kept as it was when the names are the same.
    private static func replace(
        _ kind: String, in element: SourceElement?, new: [[String]], old: [[String]]?, member: String, leaf: String
    ) -> [SourceItem] {
        if new == old, let kept = element?.children(named: kind).first { return [SourceItem(kept)] }
        guard !new.isEmpty else { return [] }
        let members = new.map { names in
            SourceElement(member, children: names.map { SourceElement(leaf, ["value": $0]) })
        }
        return [SourceItem(SourceElement(kind, children: members))]
    }

    private static func userInfo(
        _ new: [AnyHashable: Any]?, old: [AnyHashable: Any]?, in element: SourceElement?, isComposite: Bool = false,
        path: String
    ) throws -> [SourceItem] {
        let strings = try userInfoStrings(new, isComposite: isComposite, path: path)
        if let kept = element?.children(named: "userInfo").first,
            strings == (try userInfoStrings(old, isComposite: isComposite, path: path))
        {
            return [SourceItem(kept)]
        }
        guard !strings.isEmpty else { return [] }
        let entries = strings.sorted { $0.key < $1.key }.map {
            SourceElement("entry", ["key": $0.key, "value": $0.value])
        }
        return [SourceItem(SourceElement("userInfo", children: entries))]
    }

    private static func userInfoStrings(
        _ info: [AnyHashable: Any]?, isComposite: Bool, path: String
    ) throws -> [String: String] {
        var strings: [String: String] = [:]
        for (key, value) in info ?? [:] {
            guard let name = key.base as? String,
                let string = value as? String ?? (isComposite ? CompositeSource.string(value, forKey: name) : nil)
            else {
                throw ModelError.unsupported(
                    "The user info of '\(path)' holds '\(key)', which is not a string; model source can hold strings.")
            }
            strings[name] = string
        }
        return strings
    }

    // MARK: Properties

    private func propertyElement(
        _ property: NSPropertyDescription, oldParent: SourceElement?, old: NSPropertyDescription?
    )
        throws -> SourceElement
    {
        let kind: String
        switch property {
        case is NSAttributeDescription: kind = "attribute"
        case is NSRelationshipDescription: kind = "relationship"
        case is NSFetchedPropertyDescription: kind = "fetchedProperty"
        default: throw ModelError.unsupported("The property '\(property.name)' cannot be written as model source.")
        }
        let oldElement = oldParent?.children(named: kind).first { $0.attributes["name"] == property.name }
        let before = oldElement == nil ? nil : old
        var element = oldElement ?? SourceElement(kind)
        Self.update(&element, with: try property.sourceAttributes(), old: try before?.sourceAttributes())
        if oldElement == nil, let attribute = property as? NSAttributeDescription,
            let isScalar = attribute.usesScalarValueInNewSource
        {
            element.attributes["usesScalarValueType"] = isScalar ? "YES" : "NO"
        }
        if let name = composites.name(of: property) { element.attributes["composite"] = name }
        var items: [SourceItem] = []
        if let template = (property as? NSFetchedPropertyDescription)?.template {
            let request = try fetchRequestElement(
                template, old: (before as? NSFetchedPropertyDescription)?.template, in: oldElement)
            items.append(SourceItem(request))
        }
        items += try Self.userInfo(
            property.userInfo, old: before?.userInfo, in: oldElement,
            isComposite: property is NSCompositeAttributeDescription, path: property.name)
        element.children = SourceItem.arrange(
            items, over: oldElement?.children ?? [], kinds: ["fetchRequest", "userInfo"])
        return element
    }

    // MARK: Indexes

    private func indexItems(of entity: NSEntityDescription, old: NSEntityDescription?, oldElement: SourceElement?)
        throws
        -> [SourceItem]
    {
        var items: [SourceItem] = []
        for index in entity.indexes where !entity.isImplied(index) {
            let oldIndex = old?.indexes.first { $0.name == index.name }
            let oldIndexElement = oldElement?.children(named: "fetchIndex").first {
                $0.attributes["name"] == index.name
            }
            let fresh = try Self.indexElement(index)
            if let oldIndex, let oldIndexElement, try Self.indexElement(oldIndex) == fresh {
                items.append(SourceItem(oldIndexElement))
            } else {
                items.append(SourceItem(fresh))
            }
        }
        return items
    }

    /// The compound indexes that no other element of the source says.
    private static func compoundIndexes(of entity: NSEntityDescription) -> [[String]] {
        let covered = entity.indexes.filter { !entity.isImplied($0) }.map(\.elementNames)
        return entity.compoundIndexNames.filter { !covered.contains($0) }
    }

    private static func indexElement(_ index: NSFetchIndexDescription) throws -> SourceElement {
        var element = SourceElement("fetchIndex", ["name": index.name])
        if let predicate = index.partialIndexPredicate {
            element.attributes["partialIndexPredicate"] = predicate.predicateFormat
        }
        element.children = index.elements.map { member in
            var child = SourceElement("fetchIndexElement")
            if let description = member.property as? NSExpressionDescription {
                child.attributes["expression"] = description.expression?.description ?? ""
                child.attributes["expressionType"] = SourceValue.name(of: description.expressionResultType)
            } else {
                child.attributes["property"] = member.propertyName ?? ""
            }
            child.attributes["type"] = member.collationType == .rTree ? "RTree" : "Binary"
            child.attributes["order"] = member.isAscending ? "ascending" : "descending"
            return child
        }
        return element
    }

    // MARK: Model

    private func fetchRequestElement(
        _ template: FetchRequestTemplate, old: FetchRequestTemplate?, in parent: SourceElement? = nil
    ) throws -> SourceElement {
        let candidates = (parent ?? previous)?.children(named: "fetchRequest") ?? []
        let oldElement = candidates.first { $0.attributes["name"] == template.name }
        var element = oldElement ?? SourceElement("fetchRequest")
        let before = oldElement == nil ? nil : old
        Self.update(&element, with: try template.sourceAttributes(), old: try before?.sourceAttributes())
        return element
    }

    private func configurationElement(_ name: String) -> SourceElement {
        let members = (model.configurationMembers[name] ?? []).map { $0.name ?? "" }
        let oldElement = previous?.children(named: "configuration").first { $0.attributes["name"] == name }
        var element = oldElement ?? SourceElement("configuration", ["name": name])
        let oldMembers = element.children(named: "memberEntity").compactMap { $0.attributes["name"] }
        if oldMembers != members {
            element.children = members.map { SourceElement("memberEntity", ["name": $0]) }
        }
        return element
    }

    /// Changes the attributes whose meaning is another one than before.
    static func update(_ element: inout SourceElement, with new: Attributes, old: Attributes?) {
        let before = old.map { Dictionary($0.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }) }
        for (key, value) in new {
            if let before, before[key] == .some(value) { continue }
            if key == "elementID", element.attributes["renamingIdentifier"] != nil {
                element.attributes["renamingIdentifier"] = value
            } else {
                element.attributes[key] = value
            }
        }
    }
}
