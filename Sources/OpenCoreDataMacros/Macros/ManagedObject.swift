#if Macros
/// Makes a subclass of `NSManagedObject` an entity, with its stored properties as attributes and relationships.
///
/// ```swift
/// @ManagedObject
/// final class Book: NSManagedObject {
///     @Attribute(.unique) var isbn: String = ""
///     var title: String = ""
///     var published: Date?
///     @Relationship(inverse: \Author.books) var author: Author?
/// }
/// ```
///
/// A property whose type isn't optional is required, and its initial value is the default value of new objects. An
/// initial value that is a call without arguments, a call of a function, or `now` is evaluated again for each
/// object. Computed, lazy and static properties and those marked ``Transient()`` are ignored. A class that inherits
/// from another class with this macro is a subentity.
///
/// - Parameters:
///   - entity: The name of the entity; by default the name of the class.
///   - abstract: Whether only subclasses have objects.
///   - originalName: The name of the entity in the previous version of the model.
///   - unique: Lists of properties whose combined values have to be unique.
///   - hashModifier: A string that makes the version hash different from that of an equal entity.
@attached(member, conformances: ManagedObjectModeling, names: named(entityName), named(entityBlueprint), arbitrary)
@attached(memberAttribute)
@attached(extension, conformances: ManagedObjectModeling)
public macro ManagedObject(
    entity: String? = nil, abstract: Bool = false, originalName: String? = nil, unique: [[String]] = [],
    hashModifier: String? = nil
) = #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "ManagedObjectMacro")

/// The accessors of a managed property. `@ManagedObject` adds it; there is no need to write it.
@attached(accessor)
public macro _ManagedProperty() = #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "ManagedPropertyMacro")
#endif
