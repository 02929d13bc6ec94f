/// A type as it stands in source.
indirect enum SwiftType: Hashable, Sendable {
    /// A name, perhaps with dots, and generic arguments.
    case named([String], [SwiftType])
    case optional(SwiftType)
    case any
    case anyObject

    static func named(_ name: String, _ arguments: [SwiftType] = []) -> SwiftType {
        .named(name.split(separator: ".").map(String.init), arguments)
    }

    static func array(_ element: SwiftType) -> SwiftType { .named(["Array"], [element]) }
    static func dictionary(_ key: SwiftType, _ value: SwiftType) -> SwiftType { .named(["Dictionary"], [key, value]) }
    static func set(_ element: SwiftType) -> SwiftType { .named(["Set"], [element]) }

    /// The type in source, each spelled in one way.
    var source: String {
        switch self {
        case .any: "Any"
        case .anyObject: "AnyObject"
        case .optional(let wrapped): "\(wrapped.source)?"
        case .named(["Array"], let arguments) where arguments.count == 1: "[\(arguments[0].source)]"
        case .named(["Dictionary"], let arguments) where arguments.count == 2:
            "[\(arguments[0].source): \(arguments[1].source)]"
        case .named(let path, let arguments):
            path.map(SwiftIdentifier.escaped).joined(separator: ".")
                + (arguments.isEmpty ? "" : "<\(arguments.map(\.source).joined(separator: ", "))>")
        }
    }

    /// The type that an optional wraps; another type itself.
    var unwrapped: SwiftType {
        if case .optional(let wrapped) = self { return wrapped }
        return self
    }

    var isOptional: Bool {
        if case .optional = self { return true }
        return false
    }

    /// The name of a type without arguments.
    var simpleName: String? {
        guard case .named(let path, let arguments) = self, arguments.isEmpty else { return nil }
        return path.joined(separator: ".")
    }

    /// The element of a set or array.
    func element(of collection: String) -> SwiftType? {
        guard case .named([collection], let arguments) = self, arguments.count == 1 else { return nil }
        return arguments[0]
    }
}
