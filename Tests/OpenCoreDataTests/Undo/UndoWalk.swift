import Foundation
import OpenCoreData
import TestSupport

/// A random walk of edits, saves, undos and redos in one context over one store.
///
/// What the context shows after each step is kept; undoing and redoing has to show it again.
struct UndoWalk {
    let stack: TestStack
    let context: NSManagedObjectContext
    private let manager = UndoManager()
    private var random: SeededGenerator
    private var objects: [NSManagedObject] = []
    private var next = 0
    /// What the context showed at each position of the undo stack.
    private var states: [String] = []
    private var position = 0
    private(set) var differences: [String] = []
    private(set) var saves = 0
    private var trace = ""

    init(seed: UInt64, type: String) throws {
        stack = try TestStack(model: Self.model(), type: type)
        context = stack.context()
        random = SeededGenerator(seed: seed)
        manager.groupsByEvent = false
    }

    /// Each delete rule, with and without order, inverse and several owners.
    static func model() -> NSManagedObjectModel {
        let (box, note, page) = (entity("Box"), entity("Note"), entity("Page"))
        let (label, lid, lock) = (entity("Label"), entity("Lid"), entity("Lock"))
        func link(
            _ name: String, _ destination: NSEntityDescription, toMany: Bool = false, ordered: Bool = false,
            _ rule: NSDeleteRule = .nullifyDeleteRule
        ) -> NSRelationshipDescription {
            LibraryModel.relationship(name, to: destination, toMany: toMany, ordered: ordered, rule: rule)
        }
        box.properties += [
            link("notes", note, toMany: true, .cascadeDeleteRule),
            link("pages", page, toMany: true, ordered: true, .cascadeDeleteRule),
            link("labels", label, toMany: true), link("lid", lid, .cascadeDeleteRule),
            link("locks", lock, toMany: true, .denyDeleteRule), link("favorite", label),
            link("inner", box, toMany: true, .cascadeDeleteRule), link("outer", box),
        ]
        note.properties += [link("box", box)]
        page.properties += [link("box", box)]
        label.properties += [link("boxes", box, toMany: true)]
        lid.properties += [link("box", box)]
        lock.properties += [link("box", box)]
        LibraryModel.pair(box, "notes", note, "box")
        LibraryModel.pair(box, "pages", page, "box")
        LibraryModel.pair(box, "labels", label, "boxes")
        LibraryModel.pair(box, "lid", lid, "box")
        LibraryModel.pair(box, "locks", lock, "box")
        LibraryModel.pair(box, "inner", box, "outer")
        let model = NSManagedObjectModel()
        model.entities = [box, note, page, label, lid, lock]
        return model
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = [
            LibraryModel.attribute("number", .integer64AttributeType, default: 0),
            LibraryModel.attribute("text", .stringAttributeType),
        ]
        return entity
    }

    /// Walks to and fro, and back to the beginning.
    mutating func run(steps: Int) throws {
        for _ in 0..<12 { insert() }
        for _ in 0..<20 { edit(mayDelete: false) }
        try context.save()
        context.undoManager = manager
        states = [shown()]
        for _ in 0..<steps {
            step()
            if random.below(4) == 0 { save() }
            while random.below(4) == 0 { back() }
            if random.below(6) == 0 { save() }
            while random.below(5) == 0 { forth() }
        }
        while position > 0 { back() }
        try saveAndCompare("after all was undone")
        while position < states.count - 1 { forth() }
        save()
        while position > 0 { back() }
        try saveAndCompare("after all was undone again")
    }

    private mutating func step() {
        states.removeSubrange((position + 1)...)
        manager.beginUndoGrouping()
        for _ in 0...random.below(3) {
            edit(mayDelete: true)
            if random.below(3) == 0 { context.processPendingChanges() }
        }
        context.processPendingChanges()
        let before = manager.groupingLevel
        manager.endUndoGrouping()
        precondition(before == 1)
        // A group in which nothing changed is not on the stack.
        if manager.undoCount == position { return }
        position += 1
        trace += " step to \(position)"
        states.append(shown())
    }

    private mutating func back() {
        guard position > 0 else { return }
        context.undo()
        position -= 1
        compare("undo to \(position)")
    }

    private mutating func forth() {
        guard position < states.count - 1 else { return }
        context.redo()
        position += 1
        compare("redo to \(position)")
    }

    /// A save may be refused by a deny rule; then its changes stay for the next one.
    private mutating func save() {
        if (try? context.save()) != nil { saves += 1 }
        compare("save at \(position)")
    }

    private mutating func compare(_ moment: String) {
        let now = shown()
        trace += " \(moment)"
        differences += context.checkInvariants().map { "\($0) after\(trace)" }
        if manager.undoCount != position { differences.append("\(manager.undoCount) groups after\(trace)") }
        if now != states[position] { differences.append("\(trace):\n\(states[position])\n---- is now\n\(now)") }
    }

    private mutating func saveAndCompare(_ moment: String) throws {
        try context.save()
        compare(moment)
        let stored = try stack.inContext { context in
            var found: [NSManagedObject] = []
            for entity in stack.coordinator.managedObjectModel.entities {
                found += try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? ""))
            }
            return Self.lines(of: found)
        }
        if stored != states[position] {
            differences.append("stored \(moment):\n\(states[position])\n---- is\n\(stored)")
        }
    }

    // MARK: Edits

    private var living: [NSManagedObject] { objects.filter { $0.managedObjectContext != nil && !$0.isDeleted } }

    private mutating func insert() {
        let names = ["Box", "Box", "Note", "Page", "Label", "Lid", "Lock"]
        let object = NSEntityDescription.insertNewObject(
            forEntityName: names[random.below(names.count)], into: context)
        next += 1
        object.setValue(next, forKey: "number")
        objects.append(object)
    }

    private mutating func edit(mayDelete: Bool) {
        let living = living
        let choice = random.below(12)
        guard choice > 1, !living.isEmpty else { return insert() }
        let object = living[random.below(living.count)]
        switch choice {
        case 2 where mayDelete && !isDenied(object): context.delete(object)
        case 3: object.setValue(random.below(3) == 0 ? nil : "\(random.below(9))", forKey: "text")
        default: relate(object, living)
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

    private mutating func relate(_ object: NSManagedObject, _ living: [NSManagedObject]) {
        let names = object.entity.relationshipsByName.keys.sorted()
        let name = names[random.below(names.count)]
        guard let relationship = object.entity.relationshipsByName[name] else { return }
        let fitting = living.filter { $0.entity === relationship.destinationEntity }
        let chosen = fitting.filter { _ in random.below(3) == 0 }.shuffled(using: &random)
        if !relationship.isToMany {
            object.setValue(chosen.first, forKey: name)
        } else if relationship.isOrdered {
            object.setValue(NSOrderedSet(array: chosen), forKey: name)
        } else if random.below(2) == 0, let member = chosen.first {
            let set = object.mutableSetValue(forKey: name)
            if set.contains(member) { set.remove(member) } else { set.add(member) }
        } else {
            object.setValue(Set(chosen), forKey: name)
        }
    }

    // MARK: Describing

    private func shown() -> String { Self.lines(of: living) }

    private static func lines(of objects: [NSManagedObject]) -> String {
        objects.sorted { number($0) < number($1) }.map(line).joined(separator: "\n")
    }

    private static func number(_ object: Any?) -> Int {
        ((object as? NSManagedObject)?.value(forKey: "number") as? NSNumber)?.intValue ?? 0
    }

    private static func line(_ object: NSManagedObject) -> String {
        var parts = ["\(object.entity.name ?? "") \(number(object)) \(object.value(forKey: "text") ?? "-")"]
        for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
            let value = object.value(forKey: name)
            if let ordered = value as? NSOrderedSet {
                parts.append("\(name) \(ordered.array.map(number))")
            } else if relationship.isToMany {
                parts.append("\(name) \((value as? Set<NSManagedObject> ?? []).map(number).sorted())")
            } else {
                parts.append("\(name) \(number(value))")
            }
        }
        return parts.joined(separator: ", ")
    }
}
