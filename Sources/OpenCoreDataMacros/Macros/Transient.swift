#if Macros
/// Leaves a stored property of a class with `@ManagedObject` as it is: the model doesn't have it.
///
/// An attribute of the model that is not stored is marked `@Attribute(.transient)`.
@attached(peer)
public macro Transient() = #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "TransientMacro")
#endif
