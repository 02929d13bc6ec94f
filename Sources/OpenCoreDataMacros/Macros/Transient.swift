#if Macros
/// Excludes a stored property of a class with `@ManagedObject` from the model.
///
/// An attribute of the model that is not stored is marked `@Attribute(.transient)`.
@attached(peer)
public macro Transient() = #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "TransientMacro")
#endif
