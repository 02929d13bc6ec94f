public import CoreDataPlatform

/// The entity that a class declares.
public struct EntityBlueprint {
    let type: NSManagedObject.Type
    let name: String
    /// The class that the entity inherits from, and its entity's name.
    let parent: (type: NSManagedObject.Type, name: String)?
    let isAbstract: Bool
    let originalName: String?
    let uniquenessConstraints: [[String]]
    let hashModifier: String?
    let properties: [PropertyBlueprint]

    /// Describes the entity of a class.
    ///
    /// `@ManagedObject` calls it; there is no need to. Nothing is checked until a model is created of it.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - name: The entity's name.
    ///   - parent: The entity that it inherits from.
    ///   - isAbstract: Whether there are objects of subentities only.
    ///   - originalName: The name in the version of the model before.
    ///   - unique: Lists of properties whose values together may occur only once.
    ///   - hashModifier: A string that makes the version hash different.
    ///   - properties: The properties that the class itself declares.
    public init(
        of type: NSManagedObject.Type, name: String, inheriting parent: EntityBlueprint? = nil,
        isAbstract: Bool = false, originalName: String? = nil, unique: [[String]] = [], hashModifier: String? = nil,
        properties: [PropertyBlueprint]
    ) {
        self.type = type
        self.name = name
        self.parent = parent.map { ($0.type, $0.name) }
        self.isAbstract = isAbstract
        self.originalName = originalName
        self.hashModifier = hashModifier
        self.properties = properties
        uniquenessConstraints = properties.filter(\.isUnique).map { [$0.name] } + unique
    }

    /// The entity, without its superentity and the ends of its relationships.
    func makeDescription() throws -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = NSStringFromClass(type)
        entity.isAbstract = isAbstract
        if let originalName { entity.renamingIdentifier = originalName }
        entity.versionHashModifier = hashModifier
        entity.properties = try properties.map { try $0.makeDescription(in: name) }
        entity.uniquenessConstraints = uniquenessConstraints
        return entity
    }
}
