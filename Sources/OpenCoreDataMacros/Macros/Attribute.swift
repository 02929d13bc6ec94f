#if Macros
/// Says more about an attribute of a class with
/// ``ManagedObject(entity:abstract:originalName:unique:hashModifier:)``.
///
/// ```swift
/// @Attribute(.unique, originalName: "number", min: 10, max: 13, pattern: "[0-9X]+") var isbn: String = ""
/// ```
///
/// - Parameters:
///   - options: How the attribute is stored and computed.
///   - originalName: The name of the attribute in the version of the model before.
///   - min: The least value of a number or date, or the least length of a string.
///   - max: The greatest value of a number or date, or the greatest length of a string.
///   - pattern: A regular expression that a whole string must match.
///   - hashModifier: A string that makes the version hash different from that of an equal attribute.
@attached(peer)
public macro Attribute(
    _ options: AttributeOption..., originalName: String? = nil, min: (any AttributeLimit)? = nil,
    max: (any AttributeLimit)? = nil, pattern: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "AttributeMacro")
#endif
