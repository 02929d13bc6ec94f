import CoreDataMonk
import TestSupport
import Testing

/// The examples of the library's own documentation, in its order and its spelling, against a database and against memory.
///
/// What differs from the text: where an application would open its own model and file, the tests say which; `.None` of
/// `RootContextType` is `.none`; the table is a surface without a screen; an object that a block takes along is
/// `nonisolated(unsafe)`, without which the compiler warns; what the text leaves out as "…" is filled in.
@MainActor struct SeedExamplesTests {
    /// The text calls it `World` and keeps it in a global variable.
    private struct Setup {
        let folder: TemporaryFolder
        var World: CoreDataMainContext!
        let errors = Noted<any Error>()
    }

    private func stack(_ folder: TemporaryFolder, rootContext: CoreDataStack.RootContextType = .Shared) throws
        -> CoreDataStack
    {
        let models = folder.file("App.resources")
        if !FileManager.default.fileExists(atPath: models.path) {
            try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
            try PeopleModel.write(to: models.appendingPathComponent("App.momd"))
        }
        return try CoreDataStack(bundle: Bundle(url: models), rootContext: rootContext)
    }

    // MARK: Getting started

    private func started(_ kind: StoreKind) throws -> Setup {
        var setup = Setup(folder: try TemporaryFolder())
        do {
            let dataStack = try stack(setup.folder)
            switch kind {
            case .database: try dataStack.addDatabaseStore(fileURL: setup.folder.file("App.sqlite"))
            case .memory: try dataStack.addInMemoryStore()
            }
            setup.World = try CoreDataMainContext(stack: dataStack)
        } catch let error {
            Issue.record("fail to init core data: \(error)")
            throw error
        }
        let errors = setup.errors
        setup.World.stack.onError = { errors.note($0) }
        return setup
    }

    private func settle(_ World: CoreDataMainContext) async {
        for _ in 1...2 {
            await World.managedObjectContext.perform(schedule: .enqueued) {}
            await World.stack.rootManagedObjectContext?.perform(schedule: .enqueued) {}
        }
    }

    /// Monk, Warrior and others.
    private func populated(_ kind: StoreKind, anotherMonk: Bool = false) async throws -> Setup {
        let setup = try started(kind)
        setup.World.beginUpdateAndWait { update in
            for (name, age, location) in [
                ("Monk", 40, "Taipei"), ("Warrior", 20, "Taipei"), ("Farmer", 12, "Taipei"), ("Cook", 17, "Bern"),
                (anotherMonk ? "Monk" : "Nun", 60, "Bern"),
            ] {
                try update.person(name, age: age, location: location).title = "\(name) \(age)"
            }
            try update.commit()
        }
        await settle(setup.World)
        #expect(setup.errors.all.isEmpty)
        return setup
    }

    // Feature MONK-63
    @Test(arguments: StoreKind.allCases) func gettingStarted(_ kind: StoreKind) throws {
        let setup = try started(kind)
        #expect(try setup.World.fetchAll(Person.self).isEmpty)
        #expect(setup.World.stack.rootManagedObjectContext === setup.World.managedObjectContext.parent)
    }

    // Feature MONK-66
    @Test func severalStoresByConfiguration() throws {
        let folder = try TemporaryFolder()
        var World: CoreDataMainContext!
        do {
            let dataStack = try stack(folder)
            try dataStack.addInMemoryStore(configuration: "InMemory")
            try dataStack.addDatabaseStore(
                fileURL: folder.file("App.sqlite"), configuration: "Database", resetOnFailure: true)
            World = try CoreDataMainContext(stack: dataStack)
        } catch let error {
            Issue.record("fail to init core data: \(error)")
        }
        #expect(World.stack.persistentStoreCoordinator.persistentStores.count == 2)
    }

    // MARK: Fetch object

    // Feature MONK-23, MONK-24, MONK-28, MONK-29
    @Test(arguments: StoreKind.allCases) func fetchObject(_ kind: StoreKind) async throws {
        let setup = try await populated(kind, anotherMonk: true)
        let World: CoreDataMainContext = setup.World
        do {
            // you can add % prefix to tell CoreDataMonk it is for key name
            let monk = try World.fetch(Person.self, %"name" == "Monk")

            let warrior = try World.fetch(Person.self, %"name" == "Warrior" && %"location" == "Taipei")
            #expect(monk.name == "Monk" && warrior.age == 20)
        }
        do {
            let monks = try World.fetchAll(Person.self)
            #expect(monks.count == 5)
        }
        do {
            let monks = try World.fetchAll(
                Person.self,
                %"age" >= 18 || %"location" == "Taipei",
                orderBy: .Ascending("name") | .Descending("age"),
                options: .Limit(100) | .Offset(1)
            )
            #expect(monks.map(\.title) == ["Monk 60", "Monk 40", "Warrior 20"])
        }
        do {
            let age = try World.queryValue(Person.self, .Average("age")) as! NSNumber
            #expect(age.doubleValue == 29.8)
        }
        do {
            let info_list = try World.query(
                Person.self,
                .Select("location") | .Average("age"),
                %"name" == "Monk",
                orderBy: .Descending("age"),
                groupBy: %"location"
            )
            var seen: [String] = []
            for info in info_list {
                let location = info["location"] as! String
                let age = info["age"] as! NSNumber
                seen.append("\(location) \(age.intValue)")
            }
            #expect(seen == ["Bern 60", "Taipei 40"])
        }
    }

    // MARK: Create and update object

    // Feature MONK-14, MONK-15, MONK-32, MONK-33
    @Test(arguments: StoreKind.allCases) func createAndUpdateObject(_ kind: StoreKind) async throws {
        let setup = try await populated(kind)
        let World: CoreDataMainContext = setup.World
        let told = Flag()
        let observer = World.observeCommit { told.set() }
        World.beginUpdate {
            update in

            let farmer = try update.create(Person.self)
            farmer.name = "Framer"
            farmer.age = 28

            let knight = try update.fetchOrCreate(Person.self, %"name" == "Knight" && %"age" == 18)
            knight.friend = farmer

            let monk = try update.fetch(Person.self, %"name" == "Monk")
            monk.age = 44
            monk.friend = knight

            try update.commit()
        }
        await told.wait()
        withExtendedLifetime(observer) {}
        let monk = try World.fetch(Person.self, %"age" == 44)
        #expect(monk.friend?.name == "Knight" && monk.friend?.age == 18)
        #expect(monk.friend?.friend?.name == "Framer" && monk.friend?.friend?.age == 28)

        // or you prefer to wait for the update to complete
        World.beginUpdateAndWait {
            update in

            try update.fetch(Person.self, %"age" == 44).age = 45
            try update.commit()
        }
        #expect(monk.age == 45)
        await settle(World)
        #expect(setup.errors.all.isEmpty)
    }

    // Feature MONK-27
    @Test(arguments: StoreKind.allCases) func useAnObjectOfTheMainContext(_ kind: StoreKind) async throws {
        let setup = try await populated(kind)
        let World: CoreDataMainContext = setup.World
        nonisolated(unsafe) let warrior = try World.fetch(
            Person.self, %"name" == "Warrior" && %"location" == "Taipei")
        let done = Flag()

        World.beginUpdate {
            update in

            let warrior = try update.use(warrior)

            let monk = try update.fetch(Person.self, %"name" == "Monk")
            monk.friend = warrior

            try update.commit()
            done.set()
        }
        await done.wait()
        #expect(try World.fetch(Person.self, %"age" == 40).friend === warrior)
        await settle(World)
        #expect(setup.errors.all.isEmpty)
    }

    /// A server that knows ages.
    private struct RemoteServer: Sendable {
        func findAge(_ name: String?, location: String?, completion: @escaping @Sendable (Int) -> Void) {
            DispatchQueue.global().async { completion((name?.count ?? 0) + (location?.count ?? 0)) }
        }
    }

    // Feature MONK-18
    @Test(arguments: StoreKind.allCases) func goOnInANestedBlock(_ kind: StoreKind) async throws {
        let setup = try await populated(kind)
        let World: CoreDataMainContext = setup.World
        let remote_server = RemoteServer()
        let done = Flag()
        World.beginUpdate {
            update in

            nonisolated(unsafe) let monk = try update.fetch(Person.self, %"name" == "Monk")

            // this will start network connection and return result in callback block
            remote_server.findAge(monk.name, location: monk.location) {
                age in

                // you need to call .perform() in nested block
                update.perform {
                    update in

                    // it is safe to use the object directly in the same update
                    monk.age = age

                    try update.commit()
                    done.set()
                }
            }
        }
        await done.wait()
        #expect(try World.fetch(Person.self, %"name" == "Monk").age == 10)
        await settle(World)
        #expect(setup.errors.all.isEmpty)
    }

    // Feature MONK-16
    @Test(arguments: StoreKind.allCases) func takeSeveralSteps(_ kind: StoreKind) async throws {
        let setup = try await populated(kind)
        let World: CoreDataMainContext = setup.World
        let context = World.beginUpdateContext()

        context.perform {
            update in

            try update.person("First")
        }

        context.perform {
            update in

            try update.person("Second")
        }

        context.perform {
            update in

            #expect(try update.fetchCount(Person.self, %"name" == "First" || %"name" == "Second") == 2)
            try update.commit()
        }
        context.wait()
        #expect(try World.fetchCount(Person.self) == 7)

        // In fact, beginUpdate is just a temporary update context with perform.
        @Sendable func beginUpdate(block: @escaping @Sendable (CoreDataUpdate) throws -> Void) {
            World.beginUpdateContext().perform(block)
        }
        let done = Flag()
        beginUpdate { update in
            try update.person("Third")
            try update.commit()
            done.set()
        }
        await done.wait()
        #expect(try World.fetchCount(Person.self) == 8)
        #expect(setup.errors.all.isEmpty)
    }

    // MARK: Predicate expression

    // Feature MONK-36, MONK-37, MONK-38, MONK-39, MONK-40, MONK-41, MONK-42
    @Test(arguments: StoreKind.allCases) func predicateExpressions(_ kind: StoreKind) async throws {
        let setup = try await populated(kind)
        let World: CoreDataMainContext = setup.World
        let (name, age, pattern) = ("Monk", 50, "M*k")
        let my_predicate = NSPredicate(format: "age > 18")
        let pairs: [(CoreDataQuery, NSPredicate)] = [
            (%"friend.age"%.any > 3, NSPredicate(format: "ANY friend.age > 3")),
            (%"friend.age"%.all > 3, NSPredicate(format: "ALL friend.age > 3")),
            (%"name" == "monk", NSPredicate(format: "%K == %@", "name", "monk")),
            (%"name" == %"location", NSPredicate(format: "%K == %K", "name", "location")),
            (.Where("name like %@", pattern), NSPredicate(format: "name like %@", pattern)),
            (.Predicate(my_predicate), my_predicate),
            (%"name" == name && %"age" > age, NSPredicate(format: "name == %@ and age > %d", name, age)),
            (
                %"name" == name || %"name" == name + " sam",
                NSPredicate(format: "name == %@ or name = %@", name, name + " sam")
            ),
            (!(%"name" == name && %"age" > age), NSPredicate(format: "not (name == %@ and age > %d)", name, age)),
        ]
        for (query, predicate) in pairs {
            #expect(query.description == predicate.predicateFormat)
            // Over a to-one, the engine's ALL is true without an object, and the library has no such comparison.
            if query.description.hasPrefix("ALL") { continue }
            let byRequest = NSFetchRequest<Person>(entityName: "Person")
            byRequest.predicate = predicate
            let found = try World.fetchAllIDs(Person.self, query)
            #expect(try Set(found) == Set(World.managedObjectContext.fetch(byRequest).map(\.objectID)), "\(query)")
        }
    }

    // MARK: orderBy:, options:, select, groupBy:, having:

    // Feature MONK-43
    @Test func orderExpressions() {
        let order: CoreDataOrderBy = .Ascending("name") | .Descending("location")
        #expect(
            order.descriptors == [
                NSSortDescriptor(key: "name", ascending: true), NSSortDescriptor(key: "location", ascending: false),
            ])
    }

    // Feature MONK-44
    @Test(arguments: StoreKind.allCases) func optionExpressions(_ kind: StoreKind) async throws {
        let setup = try await populated(kind)
        let World: CoreDataMainContext = setup.World
        var seen: NSFetchRequestBase?
        let found = try World.fetchAll(
            Person.self,
            options: .NoSubEntities | .NoPendingChanges | .NoPropertyValues | .Limit(200) | .Offset(1) | .Batch(20)
                | .Prefetch(["friend"]) | .PropertiesOnly(["name"]) | .Distinct | .Tweak { seen = $0 })
        #expect(found.count == 4)
        let request = try #require(seen)
        #expect(!request.includesSubentities && !request.includesPendingChanges && !request.includesPropertyValues)
        #expect(request.fetchLimit == 200 && request.fetchOffset == 1 && request.fetchBatchSize == 20)
        #expect(request.relationshipKeyPathsForPrefetching == ["friend"])
        // Names come back as descriptions once the entity is known.
        let properties = request.propertiesToFetch as? [NSPropertyDescription]
        #expect(properties?.map(\.name) == ["name"] && request.returnsDistinctResults)
    }

    // Feature MONK-54, MONK-55, MONK-56, MONK-57, MONK-58, MONK-59
    @Test(arguments: StoreKind.allCases) func selectExpressions(_ kind: StoreKind) async throws {
        let setup = try await populated(kind, anotherMonk: true)
        let World: CoreDataMainContext = setup.World
        let my_expression = NSExpressionDescription()
        my_expression.name = "oldest"
        my_expression.expression = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "age")])
        let rows = try World.query(
            Person.self,
            .Select("name", "location") | .Expression(my_expression) | .Average("age") | .Sum("age", alias: "sum")
                | .StdDev("age", alias: "dev") | .Min("age", alias: "min_age") | .Max("age", alias: "max")
                | .Median("age", alias: "median") | .Count("age", alias: "count"),
            %"age" > 0, orderBy: .Ascending("name") | .Ascending("location"), groupBy: %"name" | %"location",
            having: %"min_age" > 18)
        #expect(
            rows.map { "\($0["name"] ?? "") \($0["location"] ?? "")" } == [
                "Monk Bern", "Monk Taipei", "Warrior Taipei",
            ])
        for row in rows {
            let age = row["age"] as! NSNumber
            for key in ["oldest", "sum", "min_age", "max", "median"] {
                #expect((row[key] as? NSNumber)?.doubleValue == age.doubleValue, "\(key)")
            }
            #expect((row["count"] as? NSNumber)?.intValue == 1 && (row["dev"] as? NSNumber)?.doubleValue == 0)
        }
    }

    // MARK: Data source for a table

    /// The controller of the text, with a surface in place of the table.
    @MainActor final class MyViewController {
        let World: CoreDataMainContext
        let tableView = HeadlessSurface<String>()
        var dataProvider: TableViewDataProvider<Person>!

        init(_ World: CoreDataMainContext) { self.World = World }

        func viewDidLoad() {
            do {
                self.dataProvider = TableViewDataProvider(context: World).bind(self.tableView) {
                    person, indexPath in

                    return "\(indexPath.row) \(person.title ?? "")"
                }

                try self.dataProvider.query(orderBy: .Ascending("title"))
            } catch let error {
                Issue.record("fail to query main context: \(error)")
            }
        }
    }

    // Feature MONK-60
    @Test(arguments: StoreKind.allCases) func dataSource(_ kind: StoreKind) async throws {
        let setup = try await populated(kind)
        let controller = MyViewController(setup.World)
        controller.viewDidLoad()
        #expect(controller.tableView.rows == [["0 Cook 17", "1 Farmer 12", "2 Monk 40", "3 Nun 60", "4 Warrior 20"]])
    }

    // MARK: Advanced setup

    private func add(_ kind: StoreKind, to dataStack: CoreDataStack, _ folder: TemporaryFolder) throws {
        switch kind {
        case .database: try dataStack.addDatabaseStore(fileURL: folder.file("App.sqlite"), resetOnFailure: true)
        case .memory: try dataStack.addInMemoryStore()
        }
    }

    // Feature MONK-64
    @Test(arguments: StoreKind.allCases) func twoTiersWithAutoMerge(_ kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        var World: CoreDataMainContext!
        do {
            let dataStack = try stack(folder)
            try add(kind, to: dataStack, folder)
            World = try CoreDataMainContext(stack: dataStack, updateTarget: .RootContext(autoMerge: true))
        } catch let error {
            Issue.record("fail to init core data: \(error)")
        }
        World.beginUpdateAndWait { update in
            try update.person("Monk")
            try update.commit()
        }
        await settle(World)
        #expect(try World.fetchAll(Person.self).map(\.name) == ["Monk"])
        #expect(World.stack.lastError == nil)
    }

    /// The controller of the text.
    @MainActor final class ViewController {
        var context: CoreDataMainContext!

        // it is important to keep this reference, it will removeObserver after it is de-inited
        var observer: AnyObject!
        let reloaded = Flag()

        func viewDidLoad(_ DataStack: CoreDataStack, _ Updater: CoreDataContext) {
            do {
                self.context = try CoreDataMainContext(stack: DataStack, updateTarget: .PersistentStore)
                self.observer = Updater.observeCommit {
                    self.context.reset()
                    // reload data here
                    self.reloaded.set()
                }
            } catch let error {
                Issue.record("fail to init main context: \(error)")
            }
        }
    }

    // Feature MONK-65
    @Test(arguments: StoreKind.allCases) func aMainContextForEachController(_ kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let DataStack: CoreDataStack
        let Updater: CoreDataContext
        do {
            DataStack = try stack(folder, rootContext: .none)
            try add(kind, to: DataStack, folder)
            Updater = try CoreDataContext(stack: DataStack, updateTarget: .PersistentStore)
        } catch let error {
            Issue.record("fail to init core data: \(error)")
            return
        }
        let controller = ViewController()
        controller.viewDidLoad(DataStack, Updater)
        #expect(try controller.context.fetchAll(Person.self).isEmpty)

        Updater.beginUpdate {
            update in

            try update.person("Monk")
            try update.commit()
        }
        await controller.reloaded.wait()
        #expect(try controller.context.fetchAll(Person.self).map(\.name) == ["Monk"])
        controller.observer = nil
    }

    // Feature MONK-13
    @Test(arguments: StoreKind.allCases) func updatesInSerialOrder(_ kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        var World: CoreDataMainContext!
        do {
            let dataStack = try stack(folder)
            try add(kind, to: dataStack, folder)
            World = try CoreDataMainContext(stack: dataStack, updateOrder: .Serial)
        } catch let error {
            Issue.record("fail to init core data: \(error)")
        }
        let done = Counter()
        for _ in 0..<20 {
            World.beginUpdate { update in
                let monk = try update.fetchOrCreate(Person.self, %"name" == "Monk")
                monk.age = (monk.age ?? 0) + 1
                try update.commit()
                done.add()
            }
        }
        try await eventually("all updates have run") { done.value == 20 }
        #expect(try World.fetch(Person.self).age == 20)
        #expect(World.stack.lastError == nil)
    }
}
