package import Foundation

/// Makes the errors of predicates and expressions.
package enum PredicateError {
    /// A format string that is not valid.
    package static func format(_ sentence: String) -> CocoaError {
        CocoaError(.formatting, userInfo: [NSLocalizedDescriptionKey: sentence])
    }

    /// A predicate or expression that cannot be evaluated on the object at hand, or cannot be translated.
    package static func evaluation(_ sentence: String) -> CocoaError {
        // Apple raises an exception here, which has no code.
        CocoaError(.coreData, userInfo: [NSLocalizedDescriptionKey: sentence])
    }

    /// An object that has no value for a key.
    package static func unknownKey(_ key: String, of owner: String) -> CocoaError {
        evaluation("The key \"\(key)\" is not known to \(owner).")
    }
}
