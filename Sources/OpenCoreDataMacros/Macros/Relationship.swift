#if Macros
public import CoreDataPlatform

/// Says more about a relationship of a class with
/// ``ManagedObject(entity:abstract:originalName:unique:hashModifier:)``.
///
/// The type says what the relationship holds: `Author?` one object, `Set<Book>` many, `[Book]` many in order.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: "author") var books: Set<Book>
/// ```
///
/// - Parameters:
///   - deleteRule: What happens to the other end when an object is deleted.
///   - inverse: The name of the relationship that leads back; `nil`, written out, for none. When left out on both
///     sides, the two relationships that can only belong together do.
///   - ordered: Whether the objects have an order; the type says it too.
///   - optional: Whether an object may be saved without any.
///   - minCount: The smallest number of objects.
///   - maxCount: The largest number of objects of a to-many; 0 for any number.
///   - originalName: The name of the relationship in the version of the model before.
///   - hashModifier: A string that makes the version hash different from that of an equal relationship.
@attached(peer)
public macro Relationship(
    deleteRule: NSDeleteRule = .nullify, inverse: String? = nil, ordered: Bool? = nil, optional: Bool = true,
    minCount: Int = 0, maxCount: Int = 0, originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "RelationshipMacro")

/// Says more about a relationship, with the key path of the one that leads back.
///
/// Only one of two relationships may have the other's key path; its other end finds the way back by itself.
///
/// - Parameters:
///   - deleteRule: What happens to the other end when an object is deleted.
///   - inverse: The relationship that leads back, such as `\Author.books`.
///   - ordered: Whether the objects have an order; the type says it too.
///   - optional: Whether an object may be saved without any.
///   - minCount: The smallest number of objects.
///   - maxCount: The largest number of objects of a to-many; 0 for any number.
///   - originalName: The name of the relationship in the version of the model before.
///   - hashModifier: A string that makes the version hash different from that of an equal relationship.
@attached(peer)
public macro Relationship<Root: NSManagedObject, Value>(
    deleteRule: NSDeleteRule = .nullify, inverse: KeyPath<Root, Value>, ordered: Bool? = nil, optional: Bool = true,
    minCount: Int = 0, maxCount: Int = 0, originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "OpenCoreDataMacrosPlugin", type: "RelationshipMacro")
#endif
