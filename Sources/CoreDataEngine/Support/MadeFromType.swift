/// What lets `self.init(…)` and `Self(…)` compile in static members that a program adds to classes of the engine.
///
/// Swift calls only `required` initializers of a class that is known at run time, and those would have to be repeated in
/// every subclass that has an initializer of its own. The initializers that extensions of this protocol have are found where
/// the class's own can't be called. They make objects of the engine's classes.
public protocol _MadeFromType {}

extension _MadeFromType {
    /// The object, which is of one of the engine's classes, as one of the class that was requested.
    static func exactly(_ object: any _MadeFromType) -> Self {
        guard let made = object as? Self else {
            programmerError(
                "self.init(…) in an extension of \(type(of: object)) makes objects of that class, and \(Self.self) was asked "
                    + "for one. Give \(Self.self) a member of its own that calls its initializer.")
        }
        return made
    }
}
