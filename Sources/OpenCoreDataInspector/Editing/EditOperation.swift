#if Inspector
import Foundation
import HTTPTypes
import OpenCoreData
import StoreTools

/// One step of an edit, as the page asks for it.
enum EditOperation {
    case set(object: String, values: [JSONMember])
    case insert(entity: String, name: String, values: [JSONMember])
    case delete(object: String)

    /// The steps of a request's body.
    static func list(_ body: JSONValue) throws -> [EditOperation] {
        guard case .array(let steps)? = body["operations"], !steps.isEmpty else {
            throw InspectorError(.badRequest, "An edit needs a list of operations.")
        }
        return try steps.map(Self.init)
    }

    /// How many changes a person sees in it: each property, each new object, and each deletion.
    var changes: Int {
        if case .set(_, let values) = self { return values.count }
        return 1
    }

    private init(_ json: JSONValue) throws {
        func string(_ key: String) throws -> String {
            guard case .string(let string)? = json[key] else {
                throw InspectorError(.badRequest, "An operation has no \(key).")
            }
            return string
        }
        let values: [JSONMember] =
            switch json["values"] {
            case .object(let members)?: members
            case nil, .null?: []
            default: throw InspectorError(.badRequest, "The values of an operation are an object.")
            }
        switch try string("op") {
        case "set": self = .set(object: try string("object"), values: values)
        case "insert": self = .insert(entity: try string("entity"), name: try string("name"), values: values)
        case "delete": self = .delete(object: try string("object"))
        case let other: throw InspectorError(.badRequest, "There is no operation \(other).")
        }
    }
}

/// Applies the steps of an edit to a context, without saving.
struct EditApplication {
    let reader: StoreReader
    /// Objects that the edit makes, by the names that its steps give them.
    private var made: [String: NSManagedObject] = [:]
    /// Objects to be deleted that another program has deleted already.
    private(set) var gone: [String] = []
    /// Objects that the steps edit, fetched together.
    private var edited: [String: NSManagedObject] = [:]

    init(_ reader: StoreReader) { self.reader = reader }

    mutating func apply(_ operations: [EditOperation]) throws {
        for case .insert(let entityName, let name, _) in operations {
            let entity = try reader.entity(entityName)
            guard !entity.isAbstract else {
                throw InspectorError(
                    .unprocessableContent, "\(entityName) is abstract, so it can't have objects.")
            }
            made[name] = NSManagedObject(entity: entity, insertInto: reader.context)
        }
        edited = try reader.objects(
            named: operations.compactMap { operation in
                switch operation {
                case .set(let name, _), .delete(let name): name
                case .insert: nil
                }
            })
        for operation in operations {
            switch operation {
            case .insert(_, let name, let values): try set(values, of: try object(name))
            case .set(let name, let values): try set(values, of: try objectToSet(name))
            case .delete: break
            }
        }
        for case .delete(let name) in operations {
            if made[name] == nil, edited[name] == nil, let id = try reader.objectID(named: name),
                try reader.object(id) == nil
            {
                gone.append(name)
            } else {
                reader.context.delete(try object(name))
            }
        }
        reader.context.processPendingChanges()
    }

    private func object(_ name: String) throws -> NSManagedObject {
        try made[name] ?? edited[name] ?? reader.object(name)
    }

    /// The object whose values are set; for one that is gone, the error says which changes can't be saved.
    private func objectToSet(_ name: String) throws -> NSManagedObject {
        do { return try object(name) } catch let error as InspectorError where error.status == .notFound {
            throw InspectorError(
                .notFound, "\(name) has been deleted in the meantime, so its changes can't be saved.",
                details: ["deleted": .string(name)])
        }
    }

    private func set(_ values: [JSONMember], of object: NSManagedObject) throws {
        for member in values {
            do {
                try set(member.value, of: member.key, object)
            } catch let error as InspectorError {
                throw error
            } catch {
                throw InspectorError(
                    .unprocessableContent, Sentence.string(of: error),
                    details: ["object": .string(object.inspectorName), "property": .string(member.key)])
            }
        }
    }

    private func set(_ json: JSONValue, of key: String, _ object: NSManagedObject) throws {
        if let attribute = object.entity.attributesByName[key] {
            guard !(attribute is NSDerivedAttributeDescription), !attribute.isTransient else {
                throw InspectorError(.unprocessableContent, "\(key) is computed, so it can't be set.")
            }
            object.setValue(try value(json, of: attribute), forKey: key)
        } else if let relationship = object.entity.relationshipsByName[key] {
            if case .object = json, relationship.isToMany {
                object.setValue(try change(json, of: relationship, object), forKey: key)
            } else {
                object.setValue(try destination(json, of: relationship), forKey: key)
            }
        } else {
            throw InspectorError(
                .unprocessableContent, "\(object.entity.displayName) has no property named \(key).")
        }
    }

    /// Strings are what a person typed; other values are the page's own.
    private func value(_ json: JSONValue, of attribute: NSAttributeDescription) throws -> Any? {
        guard case .string(let string) = json, attribute.attributeType != .stringAttributeType else {
            return try AttributeCoding.value(json, of: attribute)
        }
        return try CommandLineValue.value(string, of: attribute)
    }

    private static func noObject(_ relationship: NSRelationshipDescription) -> InspectorError {
        InspectorError(
            .badRequest,
            "\(relationship.name) is a relationship: its value is the name of an object, or a list of them.",
            details: ["property": .string(relationship.name)])
    }

    /// The objects of a to-many relationship with those in `add`, and without those in `remove`: what others add and
    /// remove in between stays.
    private func change(
        _ json: JSONValue, of relationship: NSRelationshipDescription, _ object: NSManagedObject
    ) throws -> Any {
        let added = try objects(json["add"] ?? .null, of: relationship)
        let removed = Set(
            try names(json["remove"] ?? .null, of: relationship).compactMap { name in
                try made[name]?.objectID ?? reader.objectID(named: name)
            })
        let current = RelatedObjects(object, relationship).objects.filter { !removed.contains($0.objectID) }
        let known = Set(current)
        let objects = current + added.filter { !known.contains($0) }
        return relationship.isOrdered ? NSOrderedSet(array: objects) : Set(objects)
    }

    private func destination(_ json: JSONValue, of relationship: NSRelationshipDescription) throws -> Any? {
        let objects = try objects(json, of: relationship)
        guard relationship.isToMany else {
            guard objects.count <= 1 else {
                throw InspectorError(
                    .unprocessableContent,
                    "\(relationship.name) is a to-one relationship and can't have several objects.")
            }
            return objects.first
        }
        return relationship.isOrdered ? NSOrderedSet(array: objects) : Set(objects)
    }

    private func names(_ json: JSONValue, of relationship: NSRelationshipDescription) throws -> [String] {
        switch json {
        case .string(let name): [name]
        case .array(let list):
            try list.map { element in
                guard case .string(let name) = element else { throw Self.noObject(relationship) }
                return name
            }
        case .null: []
        default: throw Self.noObject(relationship)
        }
    }

    private func objects(
        _ json: JSONValue, of relationship: NSRelationshipDescription
    ) throws -> [NSManagedObject] {
        try names(json, of: relationship).map { name in
            let object = try object(name)
            if let destination = relationship.destinationEntity, !object.entity.isKindOf(entity: destination) {
                throw InspectorError(
                    .unprocessableContent,
                    "\(name) is of the entity \(object.entity.displayName); \(relationship.name) leads to "
                        + "\(destination.displayName).")
            }
            return object
        }
    }
}
#endif
