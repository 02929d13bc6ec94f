#if Macros
/// Makes a class a model whose stored properties are kept in a store.
@attached(
    member, conformances: Observable, PersistentModel,
    names: named(_$modelStorage), named(_$pointer), named(persistentBackingData), named(schemaMetadata),
    named(_$initialize), named(_$begin), named(_$begun), named(_$equals), named(init), named(access),
    named(withMutation), named(Root))
@attached(memberAttribute)
@attached(extension, conformances: Observable, PersistentModel)
public macro Model() = #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "ModelMacro")

/// Says more about an attribute.
@attached(peer)
public macro Attribute(
    _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "AttributeMacro")

/// Says more about a relationship.
@attached(peer)
public macro Relationship(
    _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
    minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
    inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "RelationshipMacro")

/// Leaves a property out of the store.
@attached(peer)
public macro Transient() = #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "TransientMacro")

/// The accessors of a persisted property. `@Model` adds it; there is no need to write it.
@attached(accessor)
@attached(peer, names: prefixed(_$))
public macro _PersistedProperty() =
    #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "PersistedPropertyMacro")

/// The accessors of a persisted property that an initializer sets before it calls that of the superclass. `@Model` adds it;
/// there is no need to write it.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_$), prefixed(_$mark_))
public macro _PropertySetEarly() =
    #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "PersistedPropertyMacro")

/// Lists of properties whose values together may occur only once.
@freestanding(declaration)
public macro Unique<T>(_ constraints: [PartialKeyPath<T>]...) =
    #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "UniqueMacro") where T: PersistentModel

/// Lists of properties that the store has indexes for.
@freestanding(declaration)
public macro Index<T>(_ indices: [PartialKeyPath<T>]...) =
    #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "IndexMacro") where T: PersistentModel

/// Lists of properties that the store has indexes for, each with the kind of the index.
@freestanding(declaration)
public macro Index<T>(_ indices: Schema.Index<T>.Types<T>...) =
    #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "IndexMacro") where T: PersistentModel

/// Gives an actor a context of its own.
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "ModelActorMacro")
#endif
