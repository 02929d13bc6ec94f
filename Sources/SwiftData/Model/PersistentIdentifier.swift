import CoreDataEngine
import Synchronization

/// What identifies a model in its store.
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
    private enum Form: Sendable {
        /// The model is in no context.
        case loose(Int64, entity: String)
        case object(NSManagedObjectID)
        case decoded(Implementation)
    }

    /// The form in files.
    private struct Implementation: Codable, Sendable {
        var primaryKey: String
        var uriRepresentation: URL
        var isTemporary: Bool
        var storeIdentifier: String?
        var entityName: String
    }

    private enum CodingKeys: String, CodingKey { case implementation }

    private static let count = Atomic<Int64>(0)
    private let form: Form

    init(_ objectID: NSManagedObjectID) { form = .object(objectID) }

    init(looseOf entity: String) {
        form = .loose(Self.count.add(1, ordering: .relaxed).newValue, entity: entity)
    }

    /// The identity as a value of its own.
    public struct ID: Hashable, Sendable {
        fileprivate let identifier: PersistentIdentifier
    }

    /// The identity of the identifier, for lists.
    public var id: ID { ID(identifier: self) }

    /// The name of the model's entity.
    public var entityName: String {
        switch form {
        case .loose(_, let entity): entity
        case .object(let objectID): objectID.entity.name ?? ""
        case .decoded(let implementation): implementation.entityName
        }
    }

    /// What identifies the store; nil for a model that was not saved.
    public var storeIdentifier: String? {
        switch form {
        case .loose: nil
        case .object(let objectID): objectID.isTemporaryID ? nil : objectID.storeIdentifier
        case .decoded(let implementation): implementation.storeIdentifier
        }
    }

    /// The identity in the engine, of an identifier that was not read from a file.
    var objectID: NSManagedObjectID? { if case .object(let objectID) = form { objectID } else { nil } }

    /// Where an identifier that was read from a file says that the object is.
    var uri: URL? {
        switch form {
        case .loose: nil
        case .object(let objectID): objectID.uriRepresentation()
        case .decoded(let implementation): implementation.uriRepresentation
        }
    }

    var number: Int64 {
        switch form {
        case .loose(let number, _): number
        case .object(let objectID): objectID.reference
        case .decoded(let implementation): Int64(implementation.primaryKey.dropFirst()) ?? 0
        }
    }

    /// Whether two identifiers are those of one object.
    ///
    /// The identifier of a model that was in no context is equal only to itself.
    ///
    /// - Parameters:
    ///   - lhs: An identifier.
    ///   - rhs: Another identifier.
    /// - Returns: Whether they are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        switch (lhs.form, rhs.form) {
        case (.object(let first), .object(let second)): first == second
        case (.loose(let first, _), .loose(let second, _)): first == second
        case (.loose, _), (_, .loose): false
        default: lhs.number == rhs.number && lhs.uri == rhs.uri
        }
    }

    /// Hashes the number of the row.
    ///
    /// Identifiers of models of different entities can have the same hash value.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }

    /// The order by store, entity and number of the row.
    ///
    /// Identifiers of models that aren't saved come first.
    ///
    /// - Parameters:
    ///   - lhs: An identifier.
    ///   - rhs: Another identifier.
    /// - Returns: Whether the first comes before the second.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        if case .object(let first) = lhs.form, case .object(let second) = rhs.form, first.layout === second.layout,
            first.storeIdentity === second.storeIdentity
        {
            return first.reference < second.reference
        }
        return (lhs.storeIdentifier ?? "", lhs.entityName, lhs.number) < (
            rhs.storeIdentifier ?? "", rhs.entityName, rhs.number
        )
    }

    /// Reads an identifier, which is equal to the store's own.
    ///
    /// Nothing is looked up: whether a model with the identifier exists is found out when a context is asked for it.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: The decoder's error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        form = .decoded(try container.decode(Implementation.self, forKey: .implementation))
    }

    /// Writes the identifier in Apple's form.
    ///
    /// Encode identifiers of saved models: a temporary one means nothing to another process.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(implementation, forKey: .implementation)
    }

    private var implementation: Implementation {
        if case .decoded(let implementation) = form { return implementation }
        let uri = uri ?? URL(fileURLWithPath: "/\(entityName)/t\(number)")
        return Implementation(
            primaryKey: uri.lastPathComponent, uriRepresentation: uri,
            isTemporary: storeIdentifier == nil, storeIdentifier: storeIdentifier, entityName: entityName)
    }
}
