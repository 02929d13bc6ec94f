import OpenCoreDataKit

/// The names of attributes, as predicates and sorts of a store need them.
enum AttributeName {
    /// The name of a key path in the model.
    ///
    /// A key path that reads no property of the model is an error of the program.
    static func required<Root, Value>(of keyPath: KeyPath<Root, Value>) -> String {
        guard let name = KeyPathNames.name(of: keyPath) else {
            programmerError(
                "The key path \(keyPath) isn't an attribute of \(Root.self): it doesn't read a property of the model, so "
                    + "requests can't use it.")
        }
        return name
    }
}
