import Foundation
import OpenCoreData

/// Adds the objects of an export to a store.
///
/// The input is read twice. The first time all objects are made with their attributes and saved piece by piece; from then
/// on it is known which new object stands for which exported one. The second time the relationships are set, also piece
/// by piece, and everything is validated. Only identifiers are kept in memory.
package final class StoreImporter {
    private static let pieceSize = 1_000

    private struct Imported {
        var object: JSONValue
        var entity: NSEntityDescription
    }

    private let session: StoreSession
    private let reader: ImportReader
    private let progress: ProgressHandler
    private let inputSize: Int
    private var census = ImportCensus()
    /// The new objects in the order of the input.
    private var identifiers: [NSManagedObjectID] = []
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
        try connectObjects()
        return identifiers.count
    }

    // MARK: Objects

    private func createObjects() throws {
        var piece: [Imported] = []
        try reader.forEachObject { name, object, offset in
            try progress(offset, inputSize * 2)
            piece.append(Imported(object: object, entity: try concreteEntity(named: name)))
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
            try context.save()
            for (object, imported) in zip(objects, piece) { try register(object.objectID, for: imported) }
            context.reset()
        }
    }

    private func create(_ imported: Imported, in context: NSManagedObjectContext) throws -> NSManagedObject {
        guard case .object(let members) = imported.object else { throw ToolFailure("An object is missing.") }
        let entity = imported.entity
        let object = NSEntityDescription.insertNewObject(forEntityName: entity.displayName, into: context)
        var relationships: [String] = []
        for member in members where member.key != Field.objectID.path {
            if let attribute = entity.attributesByName[member.key] {
                if attribute is NSDerivedAttributeDescription { continue }
                object.setValue(try value(of: member, attribute, imported), forKey: member.key)
            } else if entity.relationshipsByName[member.key] != nil {
                relationships.append(member.key)
            } else {
                throw ToolFailure(
                    "\(name(of: imported)) has a value for \(member.key), which the entity \(entity.displayName) lacks."
                )
            }
        }
        census.add(entity, relationships: relationships)
        return object
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
        guard case .string(let text)? = imported.object[Field.objectID.path] else { return }
        guard byExportedName.updateValue(id, forKey: ObjectName.short(text)) == nil else {
            throw ToolFailure("The object \(text) is in the input twice.")
        }
    }

    // MARK: Relationships

    private func connectObjects() throws {
        var piece: [(id: NSManagedObjectID, imported: Imported)] = []
        var position = 0
        try reader.forEachObject { name, object, offset in
            try progress(inputSize + offset, inputSize * 2)
            guard position < identifiers.count else { throw ToolFailure("The input changed while it was read.") }
            let entity = try concreteEntity(named: name)
            if !entity.relationshipsByName.isEmpty {
                piece.append((identifiers[position], Imported(object: object, entity: entity)))
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
            for object in rows { try object.validateForUpdate() }
            try context.save()
            context.reset()
        }
    }

    private func connect(
        _ object: NSManagedObject, _ imported: Imported, in context: NSManagedObjectContext
    ) throws {
        guard case .object(let members) = imported.object else { return }
        for member in members {
            guard let relationship = imported.entity.relationshipsByName[member.key],
                !relationship.isTransient
            else { continue }
            let ids = try destinations(of: member, relationship, imported)
            if census.isCoveredByInverse(relationship) { continue }
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
                "\(name(of: imported)): \(member.value.kind) is no value for the relationship \(member.key).")
        }
        return try elements.map { element in
            guard case .string(let text) = element, let id = byExportedName[ObjectName.short(text)] else {
                throw ToolFailure(
                    "\(name(of: imported)): \(member.key) names \(JSONText.text(of: element)), which is not in the input."
                )
            }
            guard let destination = relationship.destinationEntity, id.entity.isKindOf(entity: destination) else {
                throw ToolFailure(
                    "\(name(of: imported)): \(member.key) cannot lead to \(text), "
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

    private func concreteEntity(named name: String) throws -> NSEntityDescription {
        let entity = try session.entity(named: name)
        guard !entity.isAbstract else {
            throw ToolFailure("The entity \(name) is abstract; there can be no objects of it.")
        }
        return entity
    }

    private func name(of imported: Imported) -> String {
        guard case .string(let text)? = imported.object[Field.objectID.path] else {
            return "An object of \(imported.entity.displayName)"
        }
        return ObjectName.short(text)
    }
}
