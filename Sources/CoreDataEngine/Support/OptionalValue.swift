package import Foundation

/// Takes optionals out of `Any`.
package enum OptionalValue {
    /// The value without the optionals around it; `NSNull` counts as no value.
    package static func flatten(_ value: Any?) -> Any? {
        guard let value else { return nil }
        let type = type(of: value)
        if type == String.self || type == Int.self || type == Double.self || type == Int64.self { return value }
        // Asking a struct whether it is an NSNull would bridge it first.
        if type is AnyClass { return value is NSNull ? nil : value }
        if let wrapped = value as? any AnyOptional { return flatten(wrapped.wrappedAny) }
        return value
    }

    /// The variables in a context dictionary.
    package static func bindings(of context: NSMutableDictionary?) -> [String: Any] {
        guard let context else { return [:] }
        var result: [String: Any] = [:]
        for (key, value) in context {
            if let key = key as? String { result[key] = value }
        }
        return result
    }
}

/// What all optionals have in common, for values in an `Any`.
private protocol AnyOptional {
    var wrappedAny: Any? { get }
}

extension Optional: AnyOptional {
    fileprivate var wrappedAny: Any? { self.map { $0 as Any } }
}
