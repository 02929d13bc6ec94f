import Foundation

/// Lets `NSPredicate(format:)` return an instance of the class that the format string describes, as Apple's does: an
/// initializer in a protocol extension can assign `self`.
public protocol PredicateFormatCreating {}

extension NSPredicate: PredicateFormatCreating {}

extension PredicateFormatCreating where Self: NSPredicate {
    /// Creates a predicate by parsing a format string and replacing its placeholders with arguments.
    ///
    /// A format string that is not valid gives a predicate that matches nothing and makes a fetch throw the reason.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format string, for example `name CONTAINS[cd] %@ AND age > %d`.
    ///   - args: One value for each placeholder, in order.
    public init(format predicateFormat: String, _ args: any CVarArg...) {
        self = Self.adopt(PredicateFormatParser.predicate(predicateFormat, arguments: args))
    }

    /// Creates a predicate by parsing a format string and replacing its placeholders with the values of an array.
    ///
    /// Use it if the arguments aren't known when the program is compiled. `NSNull` is `nil`. A format string that isn't
    /// valid gives a predicate that matches nothing and makes a fetch throw the reason.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format string.
    ///   - arguments: One value for each placeholder, in order.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self = Self.adopt(PredicateFormatParser.predicate(predicateFormat, arguments: arguments ?? []))
    }

    /// Not available: what a C argument list holds can't be determined off Apple's platforms.
    @available(
        *, unavailable,
        message: "A CVaListPointer can't be read off Apple's platforms; pass the values as argumentArray:."
    )
    public init(format predicateFormat: String, arguments argList: CVaListPointer) {
        self.init(format: predicateFormat, argumentArray: nil)
    }

    /// Creates a predicate by parsing a format string. Use it for strings that come from outside the program.
    ///
    /// Unlike `init(format:_:)`, it doesn't keep the error until the predicate is used. Too few arguments for the
    /// placeholders, or a result that isn't of the class the initializer is called on, are errors, too.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format string.
    ///   - args: The values of its placeholders.
    /// - Throws: A `CocoaError` with the code `formatting` that says what was expected, and where.
    public init(validatingFormat predicateFormat: String, _ args: any CVarArg...) throws {
        try self.init(validatingFormat: predicateFormat, argumentArray: args)
    }

    /// Creates a predicate by parsing a format string. Use it for strings that come from outside the program.
    ///
    /// Unlike `init(format:argumentArray:)`, it doesn't keep the error until the predicate is used. Too few arguments
    /// for the placeholders, or a result that isn't of the class the initializer is called on, are errors, too.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format string.
    ///   - arguments: The values of its placeholders.
    /// - Throws: A `CocoaError` with the code `formatting` that says what was expected, and where.
    public init(validatingFormat predicateFormat: String, argumentArray arguments: [Any]) throws {
        let predicate = PredicateFormatParser.predicate(predicateFormat, arguments: arguments)
        if let error = predicate.formatError { throw error }
        guard let result = predicate as? Self else { throw Self.wrongKind(predicate) }
        self = result
    }

    static func adopt(_ predicate: NSPredicate) -> Self {
        if let result = predicate as? Self { return result }
        let error = predicate.formatError ?? wrongKind(predicate)
        if let result = NSComparisonPredicate(invalidComparison: error) as? Self { return result }
        if let result = NSCompoundPredicate(invalidCompound: error) as? Self { return result }
        programmerError(
            "\(Self.self)(format:) cannot create an instance of a subclass; call NSPredicate(format:) instead.")
    }

    private static func wrongKind(_ predicate: NSPredicate) -> any Error {
        PredicateError.format("The format string \"\(predicate.predicateFormat)\" does not describe a \(Self.self).")
    }
}
