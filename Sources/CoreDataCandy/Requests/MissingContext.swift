/// What is said when neither a context is given nor a default one.
enum MissingContext {
    static func text(for type: any Fetchable.Type) -> String {
        "There is no context to fetch \(type) in. Pass one, or declare a default in an extension of Fetchable: "
            + "static var context: NSManagedObjectContext? { … }"
    }
}
