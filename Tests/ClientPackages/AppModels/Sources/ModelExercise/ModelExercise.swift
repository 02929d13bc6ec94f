import Foundation
import OpenCoreData

/// Uses the classes of a model as an application would: fills objects of every entity, saves them, reads them in another
/// container, and lets every accessor agree with key-value coding.
public struct ModelExercise {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let classes: GeneratedClasses
    private let model: NSManagedObjectModel
    private let file: URL

    /// Runs the exercise.
    ///
    /// - Returns: How many concrete entities the model has, and how many accessors were used.
    public static func run(_ classes: GeneratedClasses) throws -> (entities: Int, accessors: Int) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("AppModels-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let exercise = try ModelExercise(classes, at: folder.appendingPathComponent("Model.sqlite"))
        let written = try exercise.write()
        return (exercise.concreteEntities.count, try exercise.read(expecting: written))
    }

    private init(_ classes: GeneratedClasses, at file: URL) throws {
        self.classes = classes
        self.file = file
        guard let model = NSManagedObjectModel(contentsOf: classes.model) else {
            throw Failure(description: "\(classes.model.path) is no model")
        }
        // Classes of other versions of the same model have the same names, in modules of their own.
        for entity in model.entities {
            guard let name = entity.managedObjectClassName, name != "NSManagedObject" else { continue }
            entity.managedObjectClassName = "\(classes.module).\(name.split(separator: ".").last ?? "")"
        }
        self.model = model
    }

    private var concreteEntities: [NSEntityDescription] { model.entities.filter { !$0.isAbstract } }

    private func container() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Model", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    // MARK: Writing

    /// Returns what the objects have, by their identifiers.
    private func write() throws -> [String: [String: String]] {
        let context = try container().viewContext
        var made: [NSManagedObject] = []
        for entity in concreteEntities { made.append(try insert(entity, context)) }
        // Objects that a relationship needs are made on the way, and need others themselves.
        var next = 0
        while next < made.count {
            made += try relate(made[next], among: made)
            next += 1
            guard next < 1000 else { throw Failure(description: "the relationships need objects without end") }
        }
        try context.save()
        let values = Self.values(of: made)
        try agree(values, touching: made)
        try context.save()
        return values
    }

    private func insert(_ entity: NSEntityDescription, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity.name ?? "", into: context)
        if let name = entity.managedObjectClassName, name != "NSManagedObject" {
            guard String(reflecting: type(of: object)) == name else {
                throw Failure(
                    description: "an object of \(name) is of the class \(String(reflecting: type(of: object)))")
            }
        }
        for attribute in entity.attributesByName.values where !(attribute is NSDerivedAttributeDescription) {
            guard let value = SampleValue.of(attribute, context.insertedObjects.count) else { continue }
            object.setValue(value, forKey: attribute.name)
        }
        return object
    }

    /// Gives an object what each of its relationships needs.
    ///
    /// - Returns: Objects that had to be made for it.
    private func relate(_ object: NSManagedObject, among made: [NSManagedObject]) throws -> [NSManagedObject] {
        var new: [NSManagedObject] = []
        for relationship in object.entity.relationshipsByName.values.sorted(by: { $0.name < $1.name }) {
            guard let destination = relationship.destinationEntity, isEmpty(relationship, object) else { continue }
            let isTaken: (NSManagedObject) -> Bool = { candidate in
                guard let inverse = relationship.inverseRelationship, !inverse.isToMany else { return false }
                return candidate.value(forKey: inverse.name) != nil
            }
            var found = made.first { $0.entity.isKindOf(entity: destination) && !isTaken($0) }
            if found == nil, !relationship.isOptional,
                let entity = concreteEntities.first(where: { $0.isKindOf(entity: destination) }),
                let context = object.managedObjectContext
            {
                let other = try insert(entity, context)
                new.append(other)
                found = other
            }
            guard let found else { continue }
            if !relationship.isToMany {
                object.setValue(found, forKey: relationship.name)
            } else if relationship.isOrdered {
                object.mutableOrderedSetValue(forKey: relationship.name).add(found)
            } else {
                object.mutableSetValue(forKey: relationship.name).add(found)
            }
        }
        return new
    }

    private func isEmpty(_ relationship: NSRelationshipDescription, _ object: NSManagedObject) -> Bool {
        member(object, relationship.name, NSManagedObject.self) == nil
            && (relationship.isToMany || object.value(forKey: relationship.name) == nil)
    }

    // MARK: Reading

    private func read(expecting written: [String: [String: String]]) throws -> Int {
        let context = try container().viewContext
        var objects: [NSManagedObject] = []
        for entity in concreteEntities {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            objects += try context.fetch(request)
        }
        try Self.compare(Self.values(of: objects), written, "read again")
        for (name, count) in try classes.count(context) {
            let expected = objects.filter { $0.entity.isKindOf(name) }.count
            guard count == expected else {
                throw Failure(description: "the fetch request of \(name) finds \(count) of \(expected) objects")
            }
        }
        return try agree(written, touching: objects)
    }

    /// Writing back what an accessor reads changes nothing.
    @discardableResult
    private func agree(_ values: [String: [String: String]], touching objects: [NSManagedObject]) throws -> Int {
        var used = 0
        for object in objects { used += classes.touch(object) }
        try Self.compare(Self.values(of: objects), values, "after its accessors were used")
        return used
    }

    private static func compare(
        _ found: [String: [String: String]], _ expected: [String: [String: String]], _ when: String
    ) throws {
        guard found.count == expected.count else {
            throw Failure(description: "there are \(found.count) of \(expected.count) objects")
        }
        for (identifier, values) in expected {
            for (name, value) in values where found[identifier]?[name] != value {
                throw Failure(
                    description:
                        "\(identifier).\(name) is \(found[identifier]?[name] ?? "missing"), not \(value), \(when)")
            }
        }
    }

    /// All values of objects that are kept, as texts, by key-value coding alone.
    private static func values(of objects: [NSManagedObject]) -> [String: [String: String]] {
        var result: [String: [String: String]] = [:]
        for object in objects {
            var values: [String: String] = [:]
            for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
                values[name] = object.value(forKey: name).map(Self.text) ?? "nil"
            }
            for (name, relationship) in object.entity.relationshipsByName where !relationship.isTransient {
                let members =
                    switch object.value(forKey: name) {
                    case let set as NSSet: set.allObjects
                    case let set as NSOrderedSet: set.array
                    case let other?: [other]
                    case nil: [Any]()
                    }
                values[name] = "\(members.compactMap { ($0 as? NSManagedObject).map(Self.identifier) }.sorted())"
            }
            result[identifier(object)] = values
        }
        return result
    }

    private static func text(_ value: Any) -> String {
        (value as? Date).map { "\($0.timeIntervalSinceReferenceDate)" } ?? "\(value)"
    }

    private static func identifier(_ object: NSManagedObject) -> String {
        object.objectID.uriRepresentation().absoluteString
    }
}

extension NSEntityDescription {
    fileprivate func isKindOf(_ name: String) -> Bool {
        sequence(first: self, next: \.superentity).contains { $0.name == name }
    }
}

/// Runs the exercise of a model and prints what was used, or ends the program with what failed.
public func report(_ name: String, _ classes: GeneratedClasses) {
    do {
        let (entities, accessors) = try ModelExercise.run(classes)
        print("\(name): \(entities) entities, \(accessors) calls of accessors")
    } catch {
        FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
        exit(1)
    }
}
