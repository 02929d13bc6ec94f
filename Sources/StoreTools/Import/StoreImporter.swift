import Foundation
import OpenCoreData

/// Adds the objects of an export to a store.
///
/// The input is read twice. The first time all objects are made with their attributes, and with those destinations of
/// to-ones that are there already, and saved piece by piece; from then on it is known which new object stands for which
/// exported one. The second time the other relationships are set, also piece by piece, and objects whose relationships
/// have rules are validated. Only identifiers are kept in memory.
package final class StoreImporter {
    private static let pieceSize = 2_000

    private struct Imported {
        var object: JSONValue
        var entity: ImportedEntity
    }

    private let session: StoreSession
    private let reader: ImportReader
    private let progress: ProgressHandler
    private let inputSize: Int
    private var entities: [String: ImportedEntity] = [:]
    /// The new objects in the order of the input.
    private var identifiers: [NSManagedObjectID] = []
    /// Whether something is left to be done for an object, in the same order.
    private var isUnfinished: [Bool] = []
    /// The new objects by the short names of the exported ones.
    private var byExportedName: [String: NSManagedObjectID] = [:]

    /// - Parameter progress: Called with bytes that were read; an error of it ends the import.
    package init(session: StoreSession, input: ImportInput, progress: @escaping ProgressHandler = { _, _ in }) {
        self.session = session
        reader = ImportReader(input)
        inputSize = input.size
        self.progress = progress
    }

    /// Imports everything.
    ///
    /// - Returns: The number of objects.
    package func run() throws -> Int {
        try createObjects()
        if isUnfinished.contains(true) { try connectObjects() }
        return identifiers.count
    }

    // MARK: Objects

    private func createObjects() throws {
        var piece: [Imported] = []
        try reader.forEachObject { name, object, offset in
            try progress(offset, inputSize * 2)
            piece.append(Imported(object: object, entity: try entity(named: name)))
            if piece.count == Self.pieceSize {
                try create(piece)
                piece.removeAll(keepingCapacity: true)
            }
        }
        try create(piece)
    }

    private func create(_ piece: [Imported]) throws {
        guard !piece.isEmpty else { return }
        try session.perform { context in
            let objects = try piece.map { try create($0, in: context) }
            do {
                try context.save()
            } catch {
                throw naming(error) { object in
                    objects.firstIndex { $0 === object }.map { name(of: piece[$0]) }
                }
            }
            for (object, imported) in zip(objects, piece) { try register(object.objectID, for: imported) }
            context.reset()
        }
    }

    private func create(_ imported: Imported, in context: NSManagedObjectContext) throws -> NSManagedObject {
        guard case .object(let members) = imported.object else { throw ToolFailure("An object is missing.") }
        let entity = imported.entity
        entity.objects += 1
        let object = NSEntityDescription.insertNewObject(forEntityName: entity.name, into: context)
        var isUnfinished = entity.hasRules
        var missingToOnes = entity.requiredToOnes
        for member in members where member.key != Field.objectID.path {
            switch entity.properties[member.key] {
            case .attribute(let attribute)?:
                if case .null = member.value, attribute.defaultValue == nil { continue }
                object.setValue(try value(of: member, attribute, imported), forKey: member.key)
            case .derived?: continue
            case .relationship(let relationship)?:
                relationship.objects += 1
                let isSet = setAtOnce(member, relationship, of: object, in: context)
                isUnfinished = isUnfinished || !isSet
                if isSet, !relationship.description.isToMany, !relationship.description.isOptional {
                    if case .string = member.value { missingToOnes -= 1 }
                }
            case nil:
                throw ToolFailure(
                    "\(name(of: imported)) has a value for \(member.key), which the entity "
                        + "\(entity.entity.displayName) lacks.")
            }
        }
        self.isUnfinished.append(isUnfinished || missingToOnes > 0)
        return object
    }

    /// Sets a to-one whose destination was imported before.
    ///
    /// - Returns: Whether nothing is left to be done for the relationship.
    private func setAtOnce(
        _ member: JSONMember, _ relationship: ImportedRelationship, of object: NSManagedObject,
        in context: NSManagedObjectContext
    ) -> Bool {
        let description = relationship.description
        if description.isTransient { return true }
        switch member.value {
        case .null: return !description.isToMany
        case .array(let elements) where elements.isEmpty: return description.isToMany
        case .string(let string) where relationship.isSetAtOnce:
            guard let id = byExportedName[ObjectName.short(string)], let destination = description.destinationEntity,
                id.entity.isKindOf(entity: destination)
            else { return false }
            object.setValue(context.object(with: id), forKey: member.key)
            return true
        default: return false
        }
    }

    private func value(
        of member: JSONMember, _ attribute: NSAttributeDescription, _ imported: Imported
    ) throws -> Any? {
        do {
            return try AttributeCoding.value(member.value, of: attribute)
        } catch let failure as ToolFailure {
            throw ToolFailure("\(name(of: imported)): \(failure.description)")
        }
    }

    private func register(_ id: NSManagedObjectID, for imported: Imported) throws {
        identifiers.append(id)
        guard case .string(let string)? = imported.object[Field.objectID.path] else { return }
        guard byExportedName.updateValue(id, forKey: ObjectName.short(string)) == nil else {
            throw ToolFailure("The object \(string) is in the input twice.")
        }
    }

    // MARK: Relationships

    private func connectObjects() throws {
        var piece: [(id: NSManagedObjectID, imported: Imported)] = []
        var position = 0
        try reader.forEachObject { name, object, offset in
            try progress(inputSize + offset, inputSize * 2)
            guard position < identifiers.count else { throw ToolFailure("The input changed while it was read.") }
            if isUnfinished[position] {
                piece.append((identifiers[position], Imported(object: object, entity: try entity(named: name))))
            }
            position += 1
            if piece.count == Self.pieceSize {
                try connect(piece)
                piece.removeAll(keepingCapacity: true)
            }
        }
        try connect(piece)
    }

    /// Sets the relationships of some objects, and validates the objects.
    private func connect(_ piece: [(id: NSManagedObjectID, imported: Imported)]) throws {
        guard !piece.isEmpty else { return }
        try session.perform { context in
            let rows = try prefetch(piece.map(\.id), in: context)
            for (id, imported) in piece { try connect(context.object(with: id), imported, in: context) }
            do {
                for object in rows { try object.validateForUpdate() }
                try context.save()
            } catch {
                throw naming(error) { object in
                    let id = (object as? NSManagedObject)?.objectID
                    return piece.first { $0.id == id }.map { name(of: $0.imported) }
                }
            }
            context.reset()
        }
    }

    private func connect(
        _ object: NSManagedObject, _ imported: Imported, in context: NSManagedObjectContext
    ) throws {
        guard case .object(let members) = imported.object else { return }
        for member in members {
            guard let relationship = imported.entity.relationship(member.key)?.description, !relationship.isTransient
            else { continue }
            let ids = try destinations(of: member, relationship, imported)
            if isCoveredByInverse(relationship) { continue }
            let destinations = ids.map(context.object(with:))
            if !relationship.isToMany {
                if let destination = destinations.first { object.setValue(destination, forKey: member.key) }
            } else if !destinations.isEmpty {
                object.setValue(
                    relationship.isOrdered ? NSOrderedSet(array: destinations) : Set(destinations) as Any,
                    forKey: member.key)
            }
        }
    }

    /// Whether setting `relationship` can be left out, because its other side says the same and is set.
    ///
    /// The side that is kept is the ordered one, else the to-one, else the first by name.
    private func isCoveredByInverse(_ relationship: NSRelationshipDescription) -> Bool {
        guard let inverse = relationship.inverseRelationship, inverse !== relationship,
            let owner = relationship.destinationEntity, isComplete(inverse.name, of: owner)
        else { return false }
        if relationship.isOrdered { return false }
        if inverse.isOrdered { return true }
        if relationship.isToMany != inverse.isToMany { return relationship.isToMany }
        let own = (inverse.destinationEntity?.displayName ?? "", relationship.name)
        return (owner.displayName, inverse.name) < own
    }

    /// Whether every object of an entity and its subentities brings the relationship.
    private func isComplete(_ name: String, of entity: NSEntityDescription) -> Bool {
        ([entity] + entity.descendants).allSatisfy { entity in
            guard let imported = entities[entity.displayName] else { return true }
            return imported.relationship(name)?.objects == imported.objects
        }
    }

    private func destinations(
        of member: JSONMember, _ relationship: NSRelationshipDescription, _ imported: Imported
    ) throws -> [NSManagedObjectID] {
        let elements: [JSONValue]
        switch (member.value, relationship.isToMany) {
        case (.null, _): elements = []
        case (.string, false): elements = [member.value]
        case (.array(let array), true): elements = array
        default:
            throw ToolFailure(
                "\(name(of: imported)): \(member.value.kind) is not a value for the relationship \(member.key).")
        }
        return try elements.map { element in
            guard case .string(let string) = element, let id = byExportedName[ObjectName.short(string)] else {
                throw ToolFailure(
                    "\(name(of: imported)): \(member.key) refers to \(JSONText.string(of: element)), which isn't in the input."
                )
            }
            guard let destination = relationship.destinationEntity, id.entity.isKindOf(entity: destination) else {
                throw ToolFailure(
                    "\(name(of: imported)): \(member.key) cannot lead to \(string), "
                        + "which is of the entity \(id.entity.displayName).")
            }
            return id
        }
    }

    /// The objects of a piece, fetched in few statements.
    private func prefetch(_ ids: [NSManagedObjectID], in context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try Dictionary(grouping: ids, by: { $0.entity.displayName }).flatMap { entity, ids in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [ids])
            request.includesSubentities = false
            return try context.fetch(request)
        }
    }

    // MARK: Names

    private func entity(named name: String) throws -> ImportedEntity {
        if let known = entities[name] { return known }
        let entity = try session.entity(named: name)
        guard !entity.isAbstract else {
            throw ToolFailure("The entity \(name) is abstract; it can't have objects.")
        }
        let imported = ImportedEntity(entity)
        entities[name] = imported
        return imported
    }

    private func name(of imported: Imported) -> String {
        guard case .string(let string)? = imported.object[Field.objectID.path] else {
            return "An object of \(imported.entity.entity.displayName)"
        }
        return ObjectName.short(string)
    }

    /// An error about objects, with the names that they have in the input.
    private func naming(_ error: any Error, _ name: (AnyObject) -> String?) -> any Error {
        let userInfo = (error as? CocoaError)?.userInfo ?? [:]
        guard userInfo[NSValidationObjectErrorKey] != nil || userInfo[NSDetailedErrorsKey] != nil else { return error }
        return ToolFailure(Sentence.string(of: error, naming: name), cause: error)
    }
}
