public import OpenCoreDataKit

/// A condition on objects: comparisons of keys, joined with `&&`, `||` and `!`.
///
/// ```swift
/// %"age" >= 18 || !(%"location" == "Taipei")
/// .where("name LIKE %@", pattern)
/// ```
public struct CoreDataQuery: CustomStringConvertible {
    /// The condition as a predicate of the engine.
    public let predicate: NSPredicate

    init(_ predicate: NSPredicate) { self.predicate = predicate }

    /// A condition that was made as a predicate.
    ///
    /// One made of a block works on a store in memory; a fetch from a database throws.
    ///
    /// - Parameter predicate: The predicate.
    /// - Returns: The condition.
    public static func predicate(_ predicate: NSPredicate) -> CoreDataQuery { CoreDataQuery(predicate) }

    /// The same as ``predicate(_:)``, in the spelling of later versions of the library.
    ///
    /// A predicate that was made of a block works on a store in memory only.
    ///
    /// - Parameter predicate: The predicate.
    /// - Returns: The condition.
    public static func `where`(_ predicate: NSPredicate) -> CoreDataQuery { CoreDataQuery(predicate) }

    /// A condition in the format language of predicates.
    ///
    /// Stops the program when the format is malformed or arguments are missing, with the location and the text: formats
    /// are part of the program. For a format from outside use `NSPredicate(validatingFormat:argumentArray:)`, which
    /// throws, and ``predicate(_:)``.
    ///
    /// - Parameters:
    ///   - format: The format, for example `name LIKE %@`.
    ///   - arguments: A value for each placeholder. An optional without value is "no value".
    /// - Returns: The condition.
    public static func `where`(_ format: String, _ arguments: Any?...) -> CoreDataQuery {
        CoreDataQuery(parsing: format, arguments)
    }

    init(parsing format: String, _ arguments: [Any?]) {
        do {
            predicate = try Translation.predicate(
                format: format, arguments.map { OptionalValue.flatten($0) ?? NSNull() })
        } catch {
            programmerError("The condition \"\(format)\" is malformed: \(error.localizedDescription)")
        }
    }

    /// The condition in the format language.
    public var description: String { predicate.predicateFormat }
}
