import OpenCoreDataKit

/// Neither a context was given nor a default one.
struct MissingContext: LocalizedError {
    let errorDescription: String?

    init(for type: any Fetchable.Type) { errorDescription = Self.text(for: type) }

    static func text(for type: any Fetchable.Type) -> String {
        "There is no context to fetch \(type) in. Pass one, or declare a default in an extension of Fetchable: "
            + "static var context: NSManagedObjectContext? { … }"
    }
}
