import CampaignCore
import Foundation
import OpenCoreData

/// A store of one type and a context, for comparing with others. It belongs to one thread.
final class AgreementStack {
    static let key = "stackKey"

    let type: String
    private let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    private let entities: [NSEntityDescription]
    var objects: [NSManagedObject] = []
    private var next: Int64 = 1

    init(_ model: NSManagedObjectModel, _ type: String, _ url: URL) throws {
        self.type = type
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: type == NSInMemoryStoreType ? nil : url)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        entities = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }

    /// Makes one random change or fetch, the same for the same numbers.
    ///
    /// - Parameter skips: The planted defect: nothing is changed.
    /// - Returns: What came of it.
    func change(_ random: inout SplitMix64, skips: Bool) -> String {
        var numbers = random
        defer { random = numbers }
        return context.performAndWait {
            let choice = numbers.below(12)
            if choice < 3 || objects.isEmpty { return line(insert(&numbers)) }
            let object = numbers.pick(objects)
            if skips, choice != 9 { return "" }
            switch choice {
            case 3..<6: setAttribute(object, &numbers)
            case 6..<9: setRelationship(object, &numbers)
            case 9..<11: return found(&numbers)
            default:
                if isDenied(object) { return "denied" }
                context.delete(object)
                objects.removeAll { $0 === object }
                return "deleted \(objects.count)"
            }
            return line(object)
        }
    }

    /// Whether deleting an object would leave a link that a deny rule keeps, to or from what cascades to it.
    private func isDenied(_ object: NSManagedObject) -> Bool {
        var gone: [NSManagedObject] = [object]
        func members(_ rule: NSDeleteRule, of owner: NSManagedObject) -> [NSManagedObject] {
            owner.entity.relationshipsByName.filter { $0.value.deleteRule == rule }.flatMap { name, _ in
                owner.objectIDs(forRelationshipNamed: name).map { context.object(with: $0) }
            }
        }
        var index = 0
        while index < gone.count {
            for member in members(.cascadeDeleteRule, of: gone[index]) where !gone.contains(member) {
                gone.append(member)
            }
            index += 1
        }
        return gone.contains { members(.denyDeleteRule, of: $0).contains { !gone.contains($0) } }
    }

    /// The keys of what a fetch finds, unsaved changes counting.
    private func found(_ random: inout SplitMix64) -> String {
        let entity = random.pick(entities)
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        let attributes = entity.attributesByName.keys.filter { $0 != Self.key }.sorted()
        request.sortDescriptors = [NSSortDescriptor(key: Self.key, ascending: random.chance(50))]
        request.includesSubentities = random.chance(80)
        if random.chance(30) { request.fetchLimit = 1 + random.below(4) }
        if random.chance(20) { request.fetchOffset = random.below(4) }
        if let name = attributes.isEmpty ? nil : random.pick(attributes),
            let type = entity.attributesByName[name]?.attributeType
        {
            let value = random.chance(15) ? nil : Self.value(type, &random)
            let sign = random.pick(["==", "!=", "<", ">="])
            request.predicate = NSPredicate(format: "%K \(sign) %@", argumentArray: [name, value ?? NSNull()])
        }
        do {
            return "\(try context.fetch(request).map(Self.number)) of \(try context.count(for: request))"
        } catch {
            return "error \((error as NSError).code) \(error.localizedDescription)"
        }
    }

    private func insert(_ random: inout SplitMix64) -> NSManagedObject {
        let object = NSManagedObject(entity: random.pick(entities), insertInto: context)
        object.setValue(next, forKey: Self.key)
        next += 1
        objects.append(object)
        setAttribute(object, &random)
        return object
    }

    private func setAttribute(_ object: NSManagedObject, _ random: inout SplitMix64) {
        let names = object.entity.attributesByName.keys.filter { $0 != Self.key }.sorted()
        guard !names.isEmpty else { return }
        let name = random.pick(names)
        guard let type = object.entity.attributesByName[name]?.attributeType else { return }
        object.setValue(random.chance(15) ? nil : Self.value(type, &random), forKey: name)
    }

    private static func value(_ type: NSAttributeType, _ random: inout SplitMix64) -> Any? {
        switch type {
        case .integer16AttributeType: Int16(random.pick([-32_768, -1, 0, 1, 32_767]))
        case .integer32AttributeType: Int32(random.pick([-2_147_483_648, -1, 0, 1, 2_147_483_647]))
        case .integer64AttributeType: random.pick([Int64.min, -1, 0, 1, .max])
        case .doubleAttributeType: random.pick(SampleValues.reals + [1e300, -1e-300])
        case .floatAttributeType: Float(random.pick(SampleValues.reals))
        case .booleanAttributeType: random.chance(50)
        case .decimalAttributeType: NSDecimalNumber(string: random.pick(SampleValues.decimals))
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: random.pick(SampleValues.dates))
        case .stringAttributeType: random.pick(SampleValues.texts + ["<&>\"'", "a\nb", "\t", " x "])
        case .UUIDAttributeType: UUID(uuidString: random.pick(SampleValues.identifiers))
        case .URIAttributeType: URL(string: random.pick(SampleValues.links))
        case .binaryDataAttributeType: Data(random.pick(SampleValues.data))
        default: nil
        }
    }

    private func setRelationship(_ object: NSManagedObject, _ random: inout SplitMix64) {
        let names = object.entity.relationshipsByName.keys.sorted()
        guard !names.isEmpty else { return }
        let name = random.pick(names)
        guard let relationship = object.entity.relationshipsByName[name],
            let destination = relationship.destinationEntity
        else { return }
        // What a rule has deleted since is among the objects until they are listed again.
        let candidates = objects.filter { $0.entity.isKindOf(entity: destination) && !$0.isDeleted }
        let chosen = candidates.filter { _ in random.chance(40) }
        if !relationship.isToMany {
            object.setValue(chosen.first, forKey: name)
        } else if relationship.isOrdered {
            object.setValue(NSOrderedSet(array: chosen.shuffled(using: &random)), forKey: name)
        } else {
            object.setValue(Set(chosen), forKey: name)
        }
    }

    /// Saves, forgets what is in memory, and reads all.
    ///
    /// - Parameter reopens: Whether the objects that go on being used are fetched ones.
    /// - Returns: What is in the store, or the error's code.
    func saveAndRead(reopens: Bool) -> String {
        context.performAndWait {
            do {
                try context.save()
            } catch {
                context.rollback()
                objects = objects.filter { $0.managedObjectContext != nil && !$0.isDeleted }
                return "error \((error as NSError).code)"
            }
            do {
                if reopens {
                    context.reset()
                } else {
                    for object in objects { context.refresh(object, mergeChanges: false) }
                }
                return try read()
            } catch {
                return "error when reading: \(error)"
            }
        }
    }

    static func number(_ object: NSManagedObject?) -> Int64 {
        (object?.value(forKey: key) as? NSNumber)?.int64Value ?? object?.value(forKey: key) as? Int64 ?? -1
    }

    private func read() throws -> String {
        objects = try all(in: context)
        return objects.map(line).joined(separator: "\n")
    }

    /// What a new context finds.
    func stored() throws -> String {
        let fresh = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        fresh.persistentStoreCoordinator = coordinator
        return try fresh.performAndWait { try all(in: fresh).map(line).joined(separator: "\n") }
    }

    private func all(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
        var found: [NSManagedObject] = []
        for entity in entities where entity.superentity == nil {
            found += try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? ""))
        }
        return found.sorted { Self.number($0) < Self.number($1) }
    }

    func line(_ object: NSManagedObject) -> String {
        var parts = ["\(object.entity.name ?? "") \(Self.number(object)):"]
        for name in object.entity.attributesByName.keys.sorted() where name != Self.key {
            let value = object.value(forKey: name)
            let string =
                (value as? Date).map { "\($0.timeIntervalSinceReferenceDate)" } ?? value.map { "\($0)" } ?? "nil"
            parts.append("\(name)=\((value as? Data).map { "\(Array($0))" } ?? string)")
        }
        for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
            let value = object.value(forKey: name)
            let numbers: [Int64]
            if let ordered = value as? NSOrderedSet {
                numbers = ordered.array.map { Self.number($0 as? NSManagedObject) }
            } else if relationship.isToMany {
                numbers = (value as? Set<NSManagedObject> ?? []).map { Self.number($0) }.sorted()
            } else {
                numbers = [Self.number(value as? NSManagedObject)]
            }
            parts.append("\(name)=\(numbers)")
        }
        return parts.joined(separator: " ")
    }
}
