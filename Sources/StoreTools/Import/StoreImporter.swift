import Foundation
import OpenCoreData

/// Adds the objects of an export to a store.
///
/// The input is read twice. The first time all objects are made with their attributes, and with those destinations of
/// to-ones that are there already, and saved piece by piece; from then on it is known which new object represents which
/// exported one. The second time the other relationships are set, also piece by piece, and objects whose relationships
/// have rules are validated. Only identifiers are kept in memory.
package final class StoreImporter {
    private static let pieceSize = 2_000

    /// A relationship, by the entity that declares it.
    private struct Side: Hashable, Comparable {
        let entity: String
        let name: String

        init(_ relationship: NSRelationshipDescription) {
            name = relationship.name
            var entity = relationship.entity
            while let parent = entity.superentity, parent.propertiesByName[name] != nil { entity = parent }
            self.entity = entity.displayName
        }

        static func < (left: Side, right: Side) -> Bool { (left.entity, left.name) < (right.entity, right.name) }
    }

    struct Imported {
        var object: JSONValue
        var entity: ImportedEntity
    }

    let session: StoreSession
    private let reader: ImportReader
    private let progress: ProgressHandler
    private let inputSize: Int
    private var entities: [String: ImportedEntity] = [:]
    /// The new objects in the order of the input.
    private var identifiers: [NSManagedObjectID] = []
    /// Whether something is left to be done for an object, in the same order.
    private var isUnfinished: [Bool] = []
    /// The new objects by the short names of the exported ones.
    private(set) var byExportedName: [String: NSManagedObjectID] = [:]
    /// The relationships with an inverse, by the first of the two.
    private var sides: [Side: LinkedSides] = [:]
    /// Links that were set when the objects of a piece were made, by the index of the object in the piece.
    private var linksOfPiece: [(index: Int, relationship: ImportedRelationship, destination: Int64)] = []
    private let leavesOut: Bool
    /// References to objects that are not in the input, as sentences.
    package private(set) var leftOut = LeftOutReferences()

    /// - Parameters:
    ///   - leavesOut: Whether references to objects that are not in the input are left out, and no error.
    ///   - progress: Called with bytes that were read; an error of it ends the import.
    package init(
        session: StoreSession, input: ImportInput, leavingOutReferences leavesOut: Bool = false,
        progress: @escaping ProgressHandler = { _, _ in }
    ) {
        self.session = session
        self.leavesOut = leavesOut
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
        if sides.values.contains(where: \.mayContradict) { try findContradictions() }
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
                if identifiers.count == Self.pieceSize { reserve(after: offset) }
            }
        }
        try create(piece)
    }

    /// Makes room for as many objects as the input has when all are as long as those of the first piece.
    private func reserve(after offset: Int) {
        guard offset > 0, inputSize > offset else { return }
        let expected = Double(inputSize) / Double(offset) * Double(Self.pieceSize) * 1.1
        let count = Int(min(expected, 4_000_000))
        identifiers.reserveCapacity(count)
        isUnfinished.reserveCapacity(count)
        byExportedName.reserveCapacity(count)
    }

    private func create(_ piece: [Imported]) throws {
        guard !piece.isEmpty else { return }
        try session.perform { context in
            let objects = try piece.enumerated().map { try create($1, at: $0, in: context) }
            do {
                try context.save()
            } catch {
                throw naming(error) { object in
                    objects.firstIndex { $0 === object }.map { name(of: piece[$0]) }
                }
            }
            let first = identifiers.count
            for (object, imported) in zip(objects, piece) { try register(object.objectID, for: imported) }
            // Links that are set again later are counted then.
            for link in linksOfPiece where !isUnfinished[first + link.index] {
                link.relationship.add(objects[link.index].objectID.reference, link.destination)
            }
            linksOfPiece.removeAll(keepingCapacity: true)
            context.reset()
        }
    }

    private func create(
        _ imported: Imported, at index: Int, in context: NSManagedObjectContext
    ) throws -> NSManagedObject {
        guard case .object(let members) = imported.object else { throw ToolFailure("An object is missing.") }
        let entity = imported.entity
        entity.beginObject()
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
                entity.note(member.key)
                let isSet = setAtOnce(member, relationship, of: object, at: index, in: context)
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
        entity.endObject()
        self.isUnfinished.append(isUnfinished || missingToOnes > 0)
        return object
    }

    /// Sets a to-one whose destination was imported before.
    ///
    /// - Returns: Whether nothing is left to be done for the relationship.
    private func setAtOnce(
        _ member: JSONMember, _ relationship: ImportedRelationship, of object: NSManagedObject, at index: Int,
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
            if relationship.sides != nil { linksOfPiece.append((index, relationship, id.reference)) }
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
        try forEachPiece(progress: true, where: { isUnfinished[$0] }, connect)
    }

    /// Reads the input again.
    ///
    /// - Parameters:
    ///   - isWanted: Whether an object is needed, by its position.
    ///   - body: Called with several objects at a time, and their identifiers.
    func forEachPiece(
        progress reports: Bool = false, where isWanted: (Int) -> Bool = { _ in true },
        _ body: ([(id: NSManagedObjectID, imported: Imported)]) throws -> Void
    ) throws {
        var piece: [(id: NSManagedObjectID, imported: Imported)] = []
        var position = 0
        try reader.forEachObject { name, object, offset in
            try progress(reports ? inputSize + offset : inputSize * 2, inputSize * 2)
            guard position < identifiers.count else { throw ToolFailure("The input changed while it was read.") }
            if isWanted(position) {
                piece.append((identifiers[position], Imported(object: object, entity: try entity(named: name))))
            }
            position += 1
            if piece.count == Self.pieceSize {
                try body(piece)
                piece.removeAll(keepingCapacity: true)
            }
        }
        try body(piece)
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
            guard let link = imported.entity.relationship(member.key), !link.description.isTransient else { continue }
            let relationship = link.description
            let ids = try destinations(of: member, relationship, imported)
            for id in ids { link.add(object.objectID.reference, id.reference) }
            if let sides = link.sides, sides.isOneToOne, sides.isComplete {
                // Each object has what it says, even if the other one doesn't say the same.
                if let id = ids.first { object.setSide(ofToOne: member.key, context.object(with: id)) }
                continue
            }
            if isCoveredByInverse(link) { continue }
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
    private func isCoveredByInverse(_ relationship: ImportedRelationship) -> Bool {
        guard let sides = relationship.sides, !sides.isOne else { return false }
        let (own, inverse) = (sides.sides[relationship.side], sides.sides[1 - relationship.side])
        guard inverse.isComplete else { return false }
        if own.isOrdered { return false }
        if inverse.isOrdered { return true }
        return own.isToMany == inverse.isToMany ? relationship.side == 1 : own.isToMany
    }

    /// - Parameter notes: Whether references that are left out are noted.
    func destinations(
        of member: JSONMember, _ relationship: NSRelationshipDescription, _ imported: Imported, notes: Bool = true
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
        let ids: [NSManagedObjectID] = try elements.compactMap { element in
            guard case .string(let string) = element else {
                throw ToolFailure("\(name(of: imported)): \(element.kind) isn't an object for \(member.key).")
            }
            guard let id = byExportedName[ObjectName.short(string)] else {
                let sentence =
                    "\(name(of: imported)): \(member.key) refers to \(JSONText.string(of: element)), which isn't in the input."
                guard leavesOut else {
                    throw ToolFailure("\(sentence) --skip-validation leaves such references out.")
                }
                if notes { leftOut.append(sentence) }
                return nil
            }
            guard let destination = relationship.destinationEntity, id.entity.isKindOf(entity: destination) else {
                throw ToolFailure(
                    "\(name(of: imported)): \(member.key) cannot lead to \(string), "
                        + "which is of the entity \(id.entity.displayName).")
            }
            return id
        }
        if ids.count > 1, Set(ids).count < ids.count {
            throw ToolFailure("\(name(of: imported)): \(member.key) has an object twice.")
        }
        return ids
    }

    /// The objects of a piece, fetched in few statements.
    func prefetch(_ ids: [NSManagedObjectID], in context: NSManagedObjectContext) throws -> [NSManagedObject] {
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
        imported.link(sides(of:))
        entities[name] = imported
        return imported
    }

    /// What is known of a relationship and its inverse, and which of the two the relationship is.
    private func sides(of relationship: NSRelationshipDescription) -> (sides: LinkedSides, side: Int)? {
        guard !relationship.isTransient, let inverse = relationship.inverseRelationship, !inverse.isTransient else {
            return nil
        }
        let (own, other) = (Side(relationship), Side(inverse))
        let isFirst = own <= other
        let key = isFirst ? own : other
        if let known = sides[key] { return (known, isFirst ? 0 : 1) }
        let both = [relationship, inverse].map { LinkedSides.Side(isToMany: $0.isToMany, isOrdered: $0.isOrdered) }
        let new = LinkedSides(both[isFirst ? 0 : 1], both[isFirst ? 1 : 0], isOne: own == other)
        sides[key] = new
        return (new, isFirst ? 0 : 1)
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
