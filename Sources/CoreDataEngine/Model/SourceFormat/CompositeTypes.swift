import Foundation

/// The composite types that attributes of a model are of, with names that distinguish different ones.
///
/// Source has named types; compiled models have the elements in each attribute, so that a type gets the name of the
/// first attribute of it, with its entity's before it where another type has that name already.
struct CompositeTypes {
    /// The types, those of the previous source first.
    private(set) var elements: [SourceElement]
    private var names: [ObjectIdentifier: String] = [:]
    private let previousNames: Set<String>

    /// - Throws: a `CocoaError` that names an element which source cannot express.
    init(of model: NSManagedObjectModel, previous: SourceElement?) throws {
        elements = previous?.children(named: "composite") ?? []
        previousNames = Set(elements.compactMap { $0.attributes["name"] })
        for entity in model.entities {
            for case let composite as NSCompositeAttributeDescription in entity.declaredProperties {
                try add(composite, of: entity)
            }
        }
    }

    /// The type of a composite attribute; nil for other properties.
    func name(of property: NSPropertyDescription) -> String? { names[ObjectIdentifier(property)] }

    private mutating func add(_ composite: NSCompositeAttributeDescription, of entity: NSEntityDescription) throws {
        var members: [SourceElement] = []
        for element in composite.elements {
            if let nested = element as? NSCompositeAttributeDescription { try add(nested, of: entity) }
            var member = SourceElement("attribute")
            ModelSourceWriter.update(&member, with: try element.sourceAttributes(), old: nil)
            if let name = name(of: element) { member.attributes["composite"] = name }
            members.append(member)
        }
        let wanted = composite.compositeName ?? composite.name
        let candidates = [wanted, "\(entity.name ?? "")_\(wanted)"]
        var number = 1
        var name = wanted
        while let known = elements.first(where: { $0.attributes["name"] == name }) {
            // What was read from the source is as it is there; it may say more than the model.
            let isRead = name == composite.compositeName && previousNames.contains(name)
            if isRead || known.children == members {
                names[ObjectIdentifier(composite)] = name
                return
            }
            name = number < candidates.count ? candidates[number] : "\(candidates[1])\(number)"
            number += 1
        }
        elements.append(SourceElement("composite", ["name": name], children: members))
        names[ObjectIdentifier(composite)] = name
    }
}
