import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Objects in relationships whose class is a sibling of the one that the property is declared with.
@Suite(.serialized) struct SiblingClassTests {
    /// Tasks of two kinds; a step is declared with one of them, and its relationships lead to both.
    private static func model() -> NSManagedObjectModel {
        var entities: [String: NSEntityDescription] = [:]
        let classes: [(String, NSManagedObject.Type)] = [
            ("Task", AnyTask.self), ("HomeTask", HomeTask.self), ("FieldTask", FieldTask.self),
            ("Heavy", HeavyTask.self), ("Step", TaskStep.self),
        ]
        for (name, type) in classes {
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = NSStringFromClass(type)
            entities[name] = entity
        }
        entities["Task"]?.properties = [LibraryModel.attribute("name", .stringAttributeType)]
        entities["HomeTask"]?.properties = [LibraryModel.attribute("room", .stringAttributeType)]
        entities["FieldTask"]?.properties = [LibraryModel.attribute("place", .stringAttributeType)]
        entities["Task"]?.subentities = ["HomeTask", "FieldTask", "Heavy"].compactMap { entities[$0] }
        for (name, count) in [("task", 1), ("heavy", 1), ("certain", 1), ("tasks", 0), ("heavies", 0)] {
            let relationship = MigrationModels.single(entities, "Step", name, "Task", maxCount: count)
            relationship?.isOptional = name != "certain"
        }
        MigrationModels.pair(entities, "Step", "list", "Task", "steps", ordered: true, manyToMany: true)
        let model = NSManagedObjectModel()
        model.entities = entities.values.sorted { ($0.name ?? "") < ($1.name ?? "") }
        return model
    }

    private static func makeStep(in context: NSManagedObjectContext) throws -> (step: TaskStep, field: NSManagedObject)
    {
        let step = NSEntityDescription.insertNewObject(forEntityName: "Step", into: context)
        let field = NSEntityDescription.insertNewObject(forEntityName: "FieldTask", into: context)
        field.setValue("dig", forKey: "name")
        for key in ["task", "heavy", "certain"] { step.setValue(field, forKey: key) }
        for key in ["tasks", "heavies"] { step.setValue(NSSet(array: [field]), forKey: key) }
        step.setValue(NSOrderedSet(array: [field]), forKey: "list")
        try context.save()
        return (try #require(step as? TaskStep), field)
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func aSiblingIsHandedOutIfTheDeclaredClassAddsNothingInMemory(type: String) throws {
        let stack = try TestStack(model: Self.model(), type: type)
        try stack.inContext { context in
            let (step, field) = try Self.makeStep(in: context)
            context.refreshAllObjects()
            #expect(step.task === field && step.task?.name == "dig")
            #expect(step.tasks.count == 1 && step.tasks.first === field)
            #expect(step.list.count == 1 && step.list[0] === field)
            // What only the declared class has is an error of its use.
            #expect(step.task?.room == nil)
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.localizedDescription.contains("room") == true)
        }
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func aSiblingThatCanNotBeHandedOutIsReportedOnceAndStays(type: String) throws {
        let reports = Noted<UnreadableValues.Report>()
        UnreadableValues.setHandler { if $0.entity == "Step" { reports.note($0) } }
        defer { UnreadableValues.setHandler(nil) }
        let stack = try TestStack(model: Self.model(), type: type)
        try stack.inContext { context in
            let (step, field) = try Self.makeStep(in: context)
            context.refreshAllObjects()
            for _ in 0..<2 {
                #expect(step.heavy == nil && step.heavies.isEmpty)
                #expect(step.value(forKey: "heavy") as? NSManagedObject === field)
                #expect((step.value(forKey: "heavies") as? NSSet)?.count == 1)
            }
            #expect(reports.all.map(\.property) == ["heavy", "heavies"])
            #expect(reports.all.allSatisfy { $0.message.contains("HeavyTask") && $0.message.contains("FieldTask") })
            // Changing the set through the property doesn't lose what it can't show.
            let heavy = try #require(
                NSEntityDescription.insertNewObject(forEntityName: "Heavy", into: context) as? HeavyTask)
            step.heavies.insert(heavy)
            try context.save()
            #expect((step.value(forKey: "heavies") as? NSSet)?.count == 2 && step.heavies == [heavy])
            try step.validateForUpdate()
        }
    }

    @Test func aPropertyWithoutNilStandsForTheObjectThatItCanNotShow() throws {
        let reports = Noted<UnreadableValues.Report>()
        UnreadableValues.setHandler { if $0.entity == "Step" { reports.note($0) } }
        defer { UnreadableValues.setHandler(nil) }
        let stack = try TestStack(model: Self.model(), type: NSInMemoryStoreType)
        try stack.inContext { context in
            let (step, field) = try Self.makeStep(in: context)
            #expect(step.certain.managedObjectContext == nil)
            let other = try #require(
                NSEntityDescription.insertNewObject(forEntityName: "Step", into: context) as? TaskStep)
            other.certain = step.certain
            #expect(other.value(forKey: "certain") as? NSManagedObject === field)
            try context.save()
            #expect(reports.all.map(\.property) == ["certain"])
        }
    }
}

class AnyTask: NSManagedObject {
    static let nameProperty = ManagedProperty<String?>("name")
    var name: String? { self[AnyTask.nameProperty] }
}

final class HomeTask: AnyTask {}

extension HomeTask {
    static let roomProperty = ManagedProperty<String?>("room")
    var room: String? { self[HomeTask.roomProperty] }
}

final class FieldTask: AnyTask {}

/// A class with a stored property: objects of no other class have it.
final class HeavyTask: AnyTask {
    var weight = 0
}

final class TaskStep: NSManagedObject {
    static let taskProperty = ManagedProperty<HomeTask?>("task")
    static let heavyProperty = ManagedProperty<HeavyTask?>("heavy")
    static let certainProperty = ManagedProperty<HeavyTask?>("certain")
    static let tasksProperty = ManagedProperty<Set<HomeTask>>("tasks")
    static let heaviesProperty = ManagedProperty<Set<HeavyTask>>("heavies")
    static let listProperty = ManagedProperty<[HomeTask]>("list")

    var task: HomeTask? { self[TaskStep.taskProperty] }
    var heavy: HeavyTask? { self[TaskStep.heavyProperty] }
    var certain: HeavyTask {
        get { self[TaskStep.certainProperty] ?? _standIn(for: TaskStep.certainProperty) }
        set { self[TaskStep.certainProperty] = newValue }
    }
    var tasks: Set<HomeTask> { self[TaskStep.tasksProperty] }
    var heavies: Set<HeavyTask> {
        get { self[TaskStep.heaviesProperty] }
        set { self[TaskStep.heaviesProperty] = newValue }
    }
    var list: [HomeTask] { self[TaskStep.listProperty] }
}
