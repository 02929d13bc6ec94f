/// The errors of the kit. Each case has the information needed to fix the cause.
///
/// What the caller's blocks throw isn't wrapped.
///
/// Later versions may add cases. From Swift 6.3 on, the compiler warns of a `switch` in another package that has no
/// `@unknown default`.
#if hasAttribute(nonexhaustive)
@nonexhaustive(warn)
#endif
public enum DatabaseError: Error, Sendable {
    /// The model wasn't found: no model has the name, or no name was given and there are several models.
    ///
    /// - Parameters:
    ///   - name: The name of the model; `nil` if the configuration names no model.
    ///   - searched: The folders and files that were searched.
    ///   - candidates: The names of the models that were found.
    ///   - cause: The reason why a model that was found can't be read; `nil` if no model was found.
    case modelNotFound(name: String?, searched: [URL], candidates: [String], cause: (any Error)? = nil)
    /// A class belongs to none of the entities in the context's model.
    ///
    /// - Parameters:
    ///   - className: The class.
    ///   - known: The classes and entities that the model has.
    case unknownEntity(className: String, known: [String])
    /// A class belongs to several entities of the context's model.
    case ambiguousEntity(className: String, entities: [String])
    /// The contexts can't be connected as the layout says.
    case invalidLayout(Layout, reason: String)
    /// Two stores have the same file, or the same entity.
    ///
    /// - Parameters:
    ///   - store: The second of them: its file, or its kind.
    ///   - reason: What both stores have.
    case duplicateStore(store: String, reason: String)
    /// A store can't be opened, read, written or removed.
    ///
    /// - Parameters:
    ///   - store: Its file, or its kind.
    ///   - cause: The error of the engine.
    case storeFailed(store: String, url: URL?, cause: any Error)
    /// A file doesn't match the model: it has another version, which can't be migrated or isn't to be migrated.
    case incompatibleStore(url: URL?, cause: any Error)
    /// No object matches.
    ///
    /// - Parameters:
    ///   - entity: The entity of the query.
    ///   - condition: The condition; `nil` if the query had none.
    case notFound(entity: String, condition: String?)
    /// A query is invalid.
    case invalidQuery(entity: String, reason: String)
    /// Objects break rules of the model, or of a record's fields.
    case validation([Failure])
    /// Another context or process changed the same objects, or uses the same unique values, and the merge policy
    /// doesn't resolve the conflict.
    case conflict([Conflict])
    /// The program tried to change something in a context that only reads.
    case readOnly(String)
    /// A stored value can't be converted to the type that it is read as.
    case undecodable(entity: String, property: String, value: String, type: String)
    /// An object, or an identifier, belongs to a store that the context can't reach.
    case foreignObject(entity: String, reason: String)
    /// The database was closed, or its stores were erased under an older context.
    ///
    /// - Parameter name: The name of the database.
    case closed(name: String)

    /// A value that breaks a rule.
    public struct Failure: Sendable, Hashable, CustomStringConvertible {
        /// The object's entity.
        public var entity: String
        /// The property; `nil` if the rule is about the whole object.
        public var property: String?
        /// The value, described.
        public var value: String?
        /// The rule, as a sentence.
        public var reason: String
        /// The object; `nil` if the object wasn't created.
        public var objectID: NSManagedObjectID?
        /// Core Data's code, such as 1570 for a missing value; 0 for rules that aren't the model's.
        public var code: Int

        /// Describes a broken rule.
        ///
        /// The kit makes these itself for rules of the model and of records. Create one for a rule of your own, and
        /// throw it in a ``DatabaseError/validation(_:)``, so that a form can handle both in one way.
        ///
        /// - Parameters:
        ///   - entity: The name of the object's entity.
        ///   - property: The name of the property; `nil` if the rule is about the whole object.
        ///   - value: The value, described.
        ///   - reason: The rule, as a sentence.
        ///   - objectID: The object's identifier, if the object was created.
        ///   - code: Core Data's code; 0 for rules that aren't the model's.
        public init(
            entity: String, property: String?, value: String? = nil, reason: String,
            objectID: NSManagedObjectID? = nil, code: Int = 0
        ) {
            self.entity = entity
            self.property = property
            self.value = value
            self.reason = reason
            self.objectID = objectID
            self.code = code
        }

        /// A description in one line.
        public var description: String {
            let subject = property.map { "\(entity).\($0)" } ?? entity
            return value.map { "\(subject) = \($0): \(reason)" } ?? "\(subject): \(reason)"
        }
    }

    /// An object that can't be saved because of changes that another context or process has saved.
    public struct Conflict: Sendable, Hashable, CustomStringConvertible {
        /// The change by the other context or process. Later versions may add cases.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive(warn)
        #endif
        public enum Kind: Sendable, Hashable {
            /// The object was changed since it was read.
            case changed
            /// The object was deleted since it was read.
            case deleted
            /// Another object has the same unique values.
            case taken
        }

        /// The change by the other context or process.
        public var kind = Kind.changed
        /// Descriptions of the values that the save would have stored, by property.
        public var yours: [String: String] = [:]
        /// Descriptions of the stored values, by property: of the object, or of the object that has the unique values.
        public var stored: [String: String] = [:]
        /// The object that has the unique values; `nil` if it is one of the objects of the same save.
        public var holder: NSManagedObjectID?
        /// The object's entity.
        public var entity: String
        /// The object.
        public var objectID: NSManagedObjectID?
        /// The properties that differ, or that have to be unique.
        public var properties: [String]
        /// A sentence that describes the error.
        public var reason: String

        /// Describes a conflict.
        ///
        /// The conflict starts with the kind ``DatabaseError/Conflict/Kind/changed`` and without values. Set `kind`,
        /// `yours`, `stored` and `holder` afterwards if they are known.
        ///
        /// - Parameters:
        ///   - entity: The name of the object's entity.
        ///   - objectID: The object's identifier, if it is known.
        ///   - properties: The names of the properties whose values differ.
        ///   - reason: A sentence for people.
        public init(entity: String, objectID: NSManagedObjectID?, properties: [String], reason: String) {
            self.entity = entity
            self.objectID = objectID
            self.properties = properties
            self.reason = reason
        }

        init(changed id: NSManagedObjectID, properties: [String], yours: [String: String], stored: [String: String]) {
            self.init(
                entity: id.entity.name ?? "", objectID: id, properties: properties,
                reason: "It was changed by another context or process.")
            self.yours = yours
            self.stored = stored
        }

        init(deleted id: NSManagedObjectID, yours: [String: String]) {
            self.init(
                entity: id.entity.name ?? "", objectID: id, properties: [],
                reason: "It was deleted by another context or process.")
            kind = .deleted
            self.yours = yours
        }

        /// A description in one line.
        public var description: String {
            properties.isEmpty ? "\(entity): \(reason)" : "\(entity).\(properties.joined(separator: ", ")): \(reason)"
        }
    }
}
