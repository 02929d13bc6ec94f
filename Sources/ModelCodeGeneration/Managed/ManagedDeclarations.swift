/// What a Swift file declares, as far as accessors of `@NSManaged` members need it.
struct ManagedDeclarations: Sendable {
    /// A class, structure or enumeration.
    struct DeclaredType: Sendable {
        /// The names from the outermost type inwards, joined by dots.
        var name: String
        var kind: NominalType.Kind
        /// The types behind the colon.
        var inherited: [SwiftType]
        var isGeneric: Bool
        /// Whether it, or what it stands in, can only be seen in its file.
        var isPrivate: Bool
        var isPublic: Bool
        /// Whether it belongs to a global actor.
        var isIsolated: Bool
        /// Its own `private` or `fileprivate`.
        var privacy: SwiftToken?
        /// An `@objc` in front of it, if there is one.
        var objectiveC: SwiftToken?
        var file: String
        var line: Int

        /// The names from the outermost type inwards.
        var path: [String] { name.split(separator: ".").map(String.init) }
    }

    /// A property or method marked `@NSManaged`.
    struct Member: Sendable {
        enum Content: Sendable {
            /// The type is `nil` when it is of no kind that a property of an object can have.
            case property(SwiftType?)
            case method([MethodParameter]?, returnsValue: Bool)
        }

        /// The type that it is a member of.
        var owner: String
        var isInExtension: Bool
        var name: String
        var content: Content
        var isStatic: Bool
        var isPublic: Bool
        /// The `private` or `fileprivate` in front of it, that of a setter left out.
        var privacy: SwiftToken?
        var objectiveC: SwiftToken?
        var file: String
        var line: Int
    }

    /// A member marked `@NSManaged` of a class that is declared inside a function or a block.
    struct LocalMember: Sendable {
        var className: String?
        var name: String?
        var file: String
        var line: Int
    }

    /// A property that `@objc` makes known to key-value coding on Apple's platforms.
    struct KeyedProperty: Sendable {
        /// The type that it is a member of.
        var owner: String
        var isInExtension: Bool
        var name: String
        var privacy: SwiftToken?
        var file: String
        var line: Int
    }

    struct MethodParameter: Sendable {
        var label: String?
        var name: String
        var type: SwiftType
    }

    var types: [DeclaredType] = []
    var aliases: [String: SwiftType] = [:]
    var members: [Member] = []
    var localMembers: [LocalMember] = []
    var keyedProperties: [KeyedProperty] = []

    mutating func merge(_ other: ManagedDeclarations) {
        types += other.types
        aliases.merge(other.aliases) { first, _ in first }
        members += other.members
        localMembers += other.localMembers
        keyedProperties += other.keyedProperties
    }
}
