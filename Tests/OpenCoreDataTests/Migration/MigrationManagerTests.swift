import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

/// Migrating with a mapping model of one's own.
@Suite(.enabled(if: SQLiteShell.isAvailable)) struct MigrationManagerTests {
    let folder: TemporaryFolder
    let url: URL
    let target: URL
    let source = MigrationModels.make()

    init() throws {
        folder = try TemporaryFolder()
        url = try MigrationModels.makeStore(in: folder)
        target = folder.file("New.sqlite")
    }

    /// Person and Club become Member, which knows its clubs' names, and Team.
    private static func members() -> NSManagedObjectModel {
        var entities: [String: NSEntityDescription] = [:]
        for (name, attributes) in [
            ("Member", ["fullName", "clubNames"]), ("Team", ["title"]),
        ] {
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = attributes.map { MigrationModels.attribute($0, .stringAttributeType) }
            entities[name] = entity
        }
        MigrationModels.pair(entities, "Team", "members", "Member", "teams", ordered: true, manyToMany: true)
        let model = NSManagedObjectModel()
        model.entities = [entities["Member"], entities["Team"]].compactMap(\.self)
        return model
    }

    private static func entityMapping(
        _ name: String, _ from: String?, _ to: String?, attributes: [String: String] = [:],
        relationships: [String: String] = [:], policy: String? = nil
    ) -> NSEntityMapping {
        func properties(_ expressions: [String: String]) -> [NSPropertyMapping] {
            expressions.sorted { $0.key < $1.key }.map { name, format in
                let mapping = NSPropertyMapping()
                mapping.name = name
                mapping.valueExpression = NSExpression(format: format)
                return mapping
            }
        }
        let mapping = NSEntityMapping()
        mapping.name = name
        mapping.mappingType = .customEntityMappingType
        mapping.sourceEntityName = from
        mapping.destinationEntityName = to
        mapping.attributeMappings = properties(attributes)
        mapping.relationshipMappings = properties(relationships)
        mapping.entityMigrationPolicyClassName = policy
        return mapping
    }

    private static func mapping(policy: String? = nil, expression: String = "$source.name") -> NSMappingModel {
        let mapping = NSMappingModel()
        mapping.entityMappings = [
            entityMapping(
                "PersonToMember", "Person", "Member", attributes: ["fullName": expression], policy: policy),
            entityMapping(
                "ClubToTeam", "Club", "Team", attributes: ["title": "uppercase($source.name)"],
                relationships: [
                    "members": "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
                        + "\"PersonToMember\", $source.members)"
                ]),
        ]
        return mapping
    }

    private func migrate(_ manager: NSMigrationManager, _ mapping: NSMappingModel) throws {
        try manager.migrateStore(from: url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
    }

    // Behaviour 10.2, 10.5
    @Test func expressionsFindValuesAndObjects() throws {
        let before = try Data(contentsOf: url)
        let manager = NSMigrationManager(sourceModel: source, destinationModel: Self.members())
        try migrate(manager, Self.mapping())
        #expect(manager.migrationProgress == 0)
        #expect(try Data(contentsOf: url) == before)
        #expect(try SQLiteShell.run("SELECT ZFULLNAME FROM ZMEMBER ORDER BY 1", on: target) == "Ann\nBob")
        let teams = """
            SELECT t.ZTITLE, m.ZFULLNAME FROM Z_1TEAMS j JOIN ZTEAM t ON t.Z_PK = j.Z_2TEAMS JOIN ZMEMBER m \
            ON m.Z_PK = j.Z_1MEMBERS ORDER BY 1, 2
            """
        #expect(try SQLiteShell.run(teams, on: target) == "CHESS|Ann\nCHESS|Bob\nROWING|Ann")
        #expect(try StoreChecker.findings(inStoreAt: target, model: manager.destinationModel).map(\.message) == [])
    }

    @Test(arguments: [4, 1_300])
    func aPolicyFindsWhatWasMadeBeforeAmongTheRegisteredObjects(count: Int) throws {
        SharingPolicy.register()
        try MigrationModels.open(url, source, options: [:]) { context in
            for number in 0..<count {
                for entity in ["Person", "Club"] {
                    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                    object.setValue("shared \(number % 3)", forKey: "name")
                }
            }
            try context.save()
        }
        let destination = Self.members()
        destination.entitiesByName["Team"]?.uniquenessConstraints = [["title"]]
        let mapping = NSMappingModel()
        mapping.entityMappings = ["Person", "Club"].map { (entity: String) in
            Self.entityMapping("\(entity)ToTeam", entity, "Team", policy: "SharingPolicy")
        }
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        try migrate(manager, mapping)
        let titles = try SQLiteShell.run("SELECT ZTITLE FROM ZTEAM WHERE ZTITLE LIKE 'shared%' ORDER BY 1", on: target)
        #expect(titles == "shared 0\nshared 1\nshared 2")
    }

    @Test(arguments: [3, 1_300])
    func aPolicyFindsTheValuesOfWhatWasMadeBefore(count: Int) throws {
        try MigrationModels.open(url, source, options: [:]) { context in
            for number in 0..<count {
                for entity in ["Person", "Club"] {
                    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                    object.setValue("shared \(number % 3)", forKey: "name")
                }
            }
            try context.save()
        }
        let mapping = NSMappingModel()
        mapping.entityMappings = ["Person", "Club"].map { (entity: String) in
            // Under the name of the class, which nothing registers.
            Self.entityMapping(
                "\(entity)ToTeam", entity, "Team", policy: String(reflecting: RealizedSharingPolicy.self))
        }
        try migrate(NSMigrationManager(sourceModel: source, destinationModel: Self.members()), mapping)
        let titles = try SQLiteShell.run("SELECT ZTITLE FROM ZTEAM WHERE ZTITLE LIKE 'shared%' ORDER BY 1", on: target)
        #expect(titles == "shared 0\nshared 1\nshared 2")
        // What a later batch changed of them is there too.
        #expect(
            try SQLiteShell.run("SELECT count(*) FROM Z_1TEAMS j JOIN ZTEAM t ON t.Z_PK = j.Z_2TEAMS", on: target)
                == "\(count + 2)")
    }

    @Test(arguments: [
        "OpenCoreDataTests.UnregisteredPolicy", "UnregisteredPolicy", "SomeApp.UnregisteredPolicy",
    ]) func aPolicyIsFoundByTheNameOfItsClass(name: String) throws {
        try migrate(
            NSMigrationManager(sourceModel: source, destinationModel: Self.members()), Self.mapping(policy: name))
        #expect(try SQLiteShell.run("SELECT ZFULLNAME FROM ZMEMBER ORDER BY 1", on: target) == "Ann!\nBob!")
    }

    @Test func aClassThatIsNoPolicyIsNotMadeFromAName() throws {
        let manager = NSMigrationManager(sourceModel: source, destinationModel: Self.members())
        let error = #expect(throws: CocoaError.self) { try migrate(manager, Self.mapping(policy: "HomeTask")) }
        #expect(error?.code.rawValue == 134170 && error?.localizedDescription.contains("HomeTask") == true)
    }

    @Test func aSubclassOfTheManagerHasMethodsForExpressions() throws {
        let expression = "FUNCTION($manager, \"greet:loudly:\", $source.name, YES)"
        try migrate(
            GreetingManager(sourceModel: source, destinationModel: Self.members()),
            Self.mapping(expression: expression))
        #expect(try SQLiteShell.run("SELECT ZFULLNAME FROM ZMEMBER ORDER BY 1", on: target) == "HELLO ANN\nHELLO BOB")
        try FileManager.default.removeItem(at: target)
        try migrate(
            GreetingManager(sourceModel: source, destinationModel: Self.members()),
            Self.mapping(expression: "FUNCTION($manager, \"motto\")"))
        #expect(try SQLiteShell.run("SELECT DISTINCT ZFULLNAME FROM ZMEMBER", on: target) == "onward")
        try FileManager.default.removeItem(at: target)
        let plain = NSMigrationManager(sourceModel: source, destinationModel: Self.members())
        let error = #expect(throws: CocoaError.self) { try migrate(plain, Self.mapping(expression: expression)) }
        #expect(error?.localizedDescription.contains("greet:loudly:") == true)
    }

    // Behaviour 10.2
    @Test func anInferredMappingNeedsNoObjects() throws {
        let model = MigrationModels.make(MigrationModels.changes[2].change)
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: model)
        let manager = NSMigrationManager(sourceModel: source, destinationModel: model)
        let before = try Data(contentsOf: url)
        try migrate(manager, mapping)
        #expect(manager.migrationProgress == 0)
        #expect(try Data(contentsOf: url) == before)
        let contents = try MigrationModels.open(target, model, options: [:]) { try MigrationModels.contents(of: $0) }
        #expect(contents.count == 10)
        #expect(try StoreChecker.findings(inStoreAt: target, model: model).map(\.message) == [])
        #expect(ExternalData(storeURL: target).orphans(besides: []).count == 1)
        #expect(ExternalData(storeURL: url).orphans(besides: []).count == 1)
    }

    // Behaviour 10.6
    @Test func policiesAreCalledInOrder() throws {
        RecordingPolicy.register()
        let manager = NSMigrationManager(sourceModel: source, destinationModel: Self.members())
        let log = CallLog()
        manager.userInfo = ["log": log]
        let mapping = Self.mapping(
            policy: "RecordingPolicy", expression: "FUNCTION($entityPolicy, \"greetingFor:\", $source.name)")
        try migrate(manager, mapping)
        #expect(
            log.calls == [
                "begin", "create Ann", "create Bob", "endInstanceCreation", "relate Hello Ann", "relate Hello Bob",
                "endRelationshipCreation", "validate", "end",
            ])
        #expect(log.mappings == ["PersonToMember"])
        #expect(try SQLiteShell.run("SELECT ZFULLNAME FROM ZMEMBER ORDER BY 1", on: target) == "Hello Ann\nHello Bob")
    }

    @Test func aSourceExpressionChoosesTheObjects() throws {
        let mapping = Self.mapping()
        mapping.entityMappings[0].sourceExpression = NSFetchRequestExpression.expression(
            forFetch: NSExpression(
                format: "FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Person\", "
                    + "\"name BEGINSWITH 'A'\")"),
            context: NSExpression(format: "$manager.sourceContext"), countOnly: false)
        try migrate(NSMigrationManager(sourceModel: source, destinationModel: Self.members()), mapping)
        #expect(try SQLiteShell.run("SELECT ZFULLNAME FROM ZMEMBER", on: target) == "Ann")
        #expect(try SQLiteShell.run("SELECT count(*) FROM Z_1TEAMS", on: target) == "2")
    }

    // Behaviour 10.6
    @Test func aPolicyMayMakeSeveralObjectsOfOne() throws {
        DoublingPolicy.register()
        try migrate(
            NSMigrationManager(sourceModel: source, destinationModel: Self.members()),
            Self.mapping(policy: "DoublingPolicy"))
        #expect(
            try SQLiteShell.run("SELECT ZFULLNAME FROM ZMEMBER ORDER BY 1", on: target)
                == "Ann\nAnn again\nBob\nBob again")
        #expect(try SQLiteShell.run("SELECT count(*) FROM Z_1TEAMS", on: target) == "6")
    }

    @Test func aPolicyThatIsNotKnownIsNamed() throws {
        let manager = NSMigrationManager(sourceModel: source, destinationModel: Self.members())
        let error = #expect(throws: CocoaError.self) {
            try migrate(manager, Self.mapping(policy: "SomeModule.UnknownPolicy"))
        }
        #expect(error?.code.rawValue == 134170)
        #expect(error?.localizedDescription.contains("SomeModule.UnknownPolicy") == true)
        #expect(error?.localizedDescription.contains("the program has no subclass of NSEntityMigrationPolicy") == true)
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test func anErrorOfAPolicyEndsTheMigration() throws {
        FailingPolicy.register(as: "Shop.Failing")
        let manager = NSMigrationManager(sourceModel: source, destinationModel: Self.members())
        #expect(throws: FailingPolicy.Refusal.self) { try migrate(manager, Self.mapping(policy: "Shop.Failing")) }
        #expect(!FileManager.default.fileExists(atPath: target.path))
        #expect(manager.migrationProgress == 0)
    }

    @Test func cancellingEndsTheMigrationWithTheError() throws {
        CancellingPolicy.register()
        let manager = NSMigrationManager(sourceModel: source, destinationModel: Self.members())
        let error = #expect(throws: CocoaError.self) { try migrate(manager, Self.mapping(policy: "CancellingPolicy")) }
        #expect(error?.code == .migrationCancelled)
        #expect(!FileManager.default.fileExists(atPath: target.path))
        try migrate(manager, Self.mapping())
        #expect(try SQLiteShell.run("SELECT count(*) FROM ZMEMBER", on: target) == "2")
    }

    @Test func aWrongExpressionIsNamed() throws {
        let manager = NSMigrationManager(sourceModel: source, destinationModel: Self.members())
        let error = #expect(throws: CocoaError.self) { try migrate(manager, Self.mapping(expression: "$source.nme")) }
        #expect(error?.code == .entityMigrationPolicy)
        #expect(error?.localizedDescription.contains("fullName") == true)
        #expect(error?.localizedDescription.contains("nme") == true)
    }

    @Test func aValueOfTheWrongTypeIsNamed() throws {
        let manager = NSMigrationManager(sourceModel: source, destinationModel: Self.members())
        let error = #expect(throws: CocoaError.self) { try migrate(manager, Self.mapping(expression: "5")) }
        #expect(error?.localizedDescription.contains("fullName") == true)
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    // Behaviour 10.4
    @Test func aMissingSourceIsAnError() throws {
        let manager = NSMigrationManager(sourceModel: source, destinationModel: Self.members())
        let error = #expect(throws: CocoaError.self) {
            try manager.migrateStore(
                from: folder.file("None.sqlite"), type: .sqlite, mapping: Self.mapping(), to: target, type: .sqlite)
        }
        #expect(error?.code == .migrationManagerSourceStore)
        let inferred = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: source)
        let same = NSMigrationManager(sourceModel: source, destinationModel: source)
        let other = #expect(throws: CocoaError.self) {
            try same.migrateStore(
                from: folder.file("None.sqlite"), type: .sqlite, mapping: inferred, to: target, type: .sqlite)
        }
        #expect(other?.code == .migrationManagerSourceStore)
    }

    @Test func anExistingDestinationIsLeftAlone() throws {
        try Data("mine".utf8).write(to: target)
        let manager = NSMigrationManager(sourceModel: source, destinationModel: Self.members())
        let error = #expect(throws: CocoaError.self) { try migrate(manager, Self.mapping()) }
        #expect(error?.code == .migrationManagerDestinationStore)
        #expect(try Data(contentsOf: target) == Data("mine".utf8))
    }

    @Test func missingMandatoryValuesAreFoundInTheEnd() throws {
        let model = Self.members()
        model.entitiesByName["Member"]?.attributesByName["clubNames"]?.isOptional = false
        let manager = NSMigrationManager(sourceModel: source, destinationModel: model)
        let error = #expect(throws: CocoaError.self) { try migrate(manager, Self.mapping()) }
        #expect(error?.code == .validationMultipleErrors)
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test func manyObjectsAreMigratedInBatches() throws {
        try SQLiteShell.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 2299) \
            INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, (SELECT Z_ENT FROM ZPERSON LIMIT 1), 1, 'P' || i FROM n; \
            INSERT INTO Z_1MEMBERS SELECT 1, Z_PK FROM ZPERSON WHERE Z_PK >= 100
            """, on: url)
        WatchingPolicy.register()
        let manager = NSMigrationManager(sourceModel: source, destinationModel: Self.members())
        let watched = Watched()
        manager.userInfo = ["watched": watched]
        try migrate(manager, Self.mapping(policy: "WatchingPolicy"))
        #expect(watched.calls == 2202 && watched.mostUnsaved == 500)
        #expect(watched.classes == ["NSManagedObject"])
        let identifiers = try [url, target].map {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: $0)[
                NSStoreUUIDKey] as? String
        }
        #expect(identifiers[1] != nil && identifiers[0] != identifiers[1])
        #expect(try SQLiteShell.run("SELECT count(*) FROM ZMEMBER", on: target) == "2202")
        #expect(try SQLiteShell.run("SELECT count(*) FROM Z_1TEAMS", on: target) == "2203")
        #expect(try StoreChecker.findings(inStoreAt: target, model: manager.destinationModel).map(\.message) == [])
    }
}

/// What a policy was asked to do.
final class CallLog: Sendable {
    private let state = Mutex<(calls: [String], mappings: Set<String>)>(([], []))

    var calls: [String] { state.withLock { $0.calls } }
    var mappings: Set<String> { state.withLock { $0.mappings } }

    func note(_ call: String, _ mapping: NSEntityMapping) {
        let name = mapping.name ?? ""
        state.withLock { state in
            state.calls.append(call)
            state.mappings.insert(name)
        }
    }
}

private final class RecordingPolicy: NSEntityMigrationPolicy {
    private func note(_ call: String, _ mapping: NSEntityMapping, _ manager: NSMigrationManager) {
        #expect(manager.currentEntityMapping === mapping)
        (manager.userInfo?["log"] as? CallLog)?.note(call, mapping)
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        note("begin", mapping, manager)
    }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        note("create \(sInstance.value(forKey: "name") ?? "")", mapping, manager)
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("endInstanceCreation", mapping, manager)
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        note("relate \(dInstance.value(forKey: "fullName") ?? "")", mapping, manager)
        try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }

    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("endRelationshipCreation", mapping, manager)
    }

    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("validate", mapping, manager)
    }

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        #expect(manager.migrationProgress >= 0.9)
        note("end", mapping, manager)
    }

    override func invoke(_ selector: String, arguments: [Any?]) throws -> Any? {
        guard selector == "greetingFor:" else { return try super.invoke(selector, arguments: arguments) }
        return "Hello \(arguments.first.flatMap(\.self) ?? "")"
    }
}

private final class DoublingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let second = NSEntityDescription.insertNewObject(forEntityName: "Member", into: manager.destinationContext)
        second.setValue("\(sInstance.value(forKey: "name") ?? "") again", forKey: "fullName")
        manager.associate(sourceInstance: sInstance, withDestinationInstance: second, for: mapping)
        let name = mapping.name ?? ""
        #expect(manager.destinationInstances(forEntityMappingName: name, sourceInstances: [sInstance]).count == 2)
        #expect(manager.sourceInstances(forEntityMappingName: name, destinationInstances: [second]) == [sInstance])
    }
}

private final class FailingPolicy: NSEntityMigrationPolicy {
    struct Refusal: Error {}

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        throw Refusal()
    }
}

private final class CancellingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        manager.cancelMigrationWithError(CocoaError(.migrationCancelled))
    }
}

/// What ``WatchingPolicy`` saw.
final class Watched: Sendable {
    private let state = Mutex<(calls: Int, mostUnsaved: Int, classes: Set<String>)>((0, 0, []))

    var calls: Int { state.withLock { $0.calls } }
    var mostUnsaved: Int { state.withLock { $0.mostUnsaved } }
    var classes: Set<String> { state.withLock { $0.classes } }

    func note(unsaved: Int, classes: [String]) {
        state.withLock { state in
            state.calls += 1
            state.mostUnsaved = max(state.mostUnsaved, unsaved)
            state.classes.formUnion(classes)
        }
    }
}

/// Sees how many objects wait for a save, and of which class they are.
private final class WatchingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let made = manager.destinationContext.insertedObjects
        (manager.userInfo?["watched"] as? Watched)?.note(
            unsaved: made.count, classes: ([sInstance] + made).map { String(describing: type(of: $0)) })
    }
}

/// Makes one object for each text, and looks for it among the registered objects of the context.
private final class SharingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let name = "\(sInstance.value(forKey: "name") ?? "")"
        let found = manager.destinationContext.registeredObjects.first {
            $0.entity.name == "Team" && $0.value(forKey: "title") as? String == name
        }
        let team =
            found ?? NSEntityDescription.insertNewObject(forEntityName: "Team", into: manager.destinationContext)
        team.setValue(name, forKey: "title")
        manager.associate(sourceInstance: sInstance, withDestinationInstance: team, for: mapping)
    }
}

/// Makes a team for each name once, which it looks for among the registered objects with values.
private final class RealizedSharingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let name = sInstance.value(forKey: "name") as? String ?? ""
        let context = manager.destinationContext
        let known = context.registeredObjects.first {
            !$0.isFault && $0.entity.name == "Team" && $0.value(forKey: "title") as? String == name
        }
        let team = known ?? NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
        team.setValue(name, forKey: "title")
        guard mapping.sourceEntityName == "Person" else { return }
        let member = NSEntityDescription.insertNewObject(forEntityName: "Member", into: context)
        team.mutableOrderedSetValue(forKey: "members").add(member)
    }
}

final class UnregisteredPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        made.first?.setValue("\(sInstance.value(forKey: "name") ?? "")!", forKey: "fullName")
    }
}

private final class GreetingManager: NSMigrationManager {
    override func invoke(_ selector: String, arguments: [Any?]) throws -> Any? {
        switch (selector, arguments.first ?? nil) {
        case ("greet:loudly:", let name as String): "hello \(name)".uppercased()
        case ("motto", _): "onward"
        default: try super.invoke(selector, arguments: arguments)
        }
    }
}
