import Foundation
import OpenCoreDataKit
import TestSupport
import Testing

/// Random changes from all sides: each batch applied to a copy gives the results, and these are what a fetch gives.
@MainActor @Suite(.serialized) struct LiveResultsRandomTests {
    private enum Sectioning: CaseIterable {
        case none
        case attribute
        case relationship

        var keyPath: String? {
            switch self {
            case .none: nil
            case .attribute: "city"
            case .relationship: "team.city"
            }
        }
    }

    /// All contexts that change something, and all lists that have to follow.
    private struct Scene {
        let club: Club
        let background: NSManagedObjectContext
        var generator: SeededGenerator
        var made = 0

        private static func request(_ context: NSManagedObjectContext) throws -> [PlayerEntity] {
            let request = NSFetchRequest<PlayerEntity>(entityName: "Player")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try context.fetch(request)
        }

        private mutating func edit(_ player: PlayerEntity, _ context: NSManagedObjectContext) throws {
            switch generator.below(5) {
            case 0: player.score = Int16(generator.below(8))
            case 1: player.city = [nil, "a", "b", "c", "d"][generator.below(5)]
            case 2: player.isActive = generator.below(4) > 0
            case 3:
                let request = NSFetchRequest<TeamEntity>(entityName: "Team")
                request.sortDescriptors = [NSSortDescriptor(key: "city", ascending: true)]
                player.team = try context.fetch(request).randomElement(using: &generator)
            default: player.avatar = Data([UInt8(generator.below(200))])
            }
        }

        private mutating func change(_ context: NSManagedObjectContext) throws {
            let players = try Self.request(context)
            switch generator.below(8) {
            case 0, 1:
                let player = PlayerEntity(context: context)
                made += 1
                player.name = "\(generator.below(90))-\(made)"
                player.isActive = true
                for _ in 0..<3 { try edit(player, context) }
            case 2: if let player = players.randomElement(using: &generator) { context.delete(player) }
            default: if let player = players.randomElement(using: &generator) { try edit(player, context) }
            }
        }

        /// One step: what a program may do between two looks at its list.
        mutating func step() throws {
            let main = club.main
            switch generator.below(24) {
            case 0..<9:
                for _ in 0...generator.below(5) { try change(main) }
                generator.below(3) == 0 ? main.processPendingChanges() : try main.save()
            case 9..<15: try changeElsewhere()
            case 15: main.rollback()
            case 16:
                main.refreshAllObjects()
            case 17:
                for player in main.registeredObjects.subtracting(main.insertedObjects).prefix(3) {
                    main.refresh(player, mergeChanges: generator.below(2) == 0)
                }
                main.processPendingChanges()
            case 18, 19: try batch()
            case 20: if generator.below(6) == 0 { main.reset() }
            default:
                for _ in 0..<(5 + generator.below(15)) { try change(main) }
                try main.save()
            }
        }

        private mutating func changeElsewhere() throws {
            var copy = self
            let log = NotificationLog(background, [.NSManagedObjectContextDidSave])
            try background.performAndWait {
                for _ in 0...copy.generator.below(6) { try copy.change(copy.background) }
                try copy.background.save()
            }
            generator = copy.generator
            made = copy.made
            if let change = log.entries.last?.notification { club.main.mergeChanges(fromContextDidSave: change) }
        }

        private mutating func batch() throws {
            try club.main.save()
            let limit = generator.below(8)
            var key = NSUpdatedObjectIDsKey
            let request: NSPersistentStoreRequest
            if generator.below(2) == 0 {
                let update = NSBatchUpdateRequest(entityName: "Player")
                update.predicate = NSPredicate(format: "score == %d", limit)
                update.propertiesToUpdate = ["score": generator.below(8)]
                update.resultType = .updatedObjectIDsResultType
                request = update
            } else {
                let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Player")
                fetch.predicate = NSPredicate(format: "score == %d AND isActive == NO", limit)
                let delete = NSBatchDeleteRequest(fetchRequest: fetch)
                delete.resultType = .resultTypeObjectIDs
                request = delete
                key = NSDeletedObjectIDsKey
            }
            guard club.type == NSSQLiteStoreType else { return }
            let result = try club.main.execute(request)
            let ids = (result as? NSBatchUpdateResult)?.result ?? (result as? NSBatchDeleteResult)?.result
            guard let ids = ids as? [NSManagedObjectID] else { return }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [key: ids], into: [club.main, background])
        }
    }

    @Test(arguments: Club.storeTypes) func everyBatchLeadsToTheNewList(type: String) throws {
        let (_, seed) = SeededGenerator.make("LiveResultsRandomTests \(type)")
        var steps = 0
        for round in 0..<40 { steps += try run(type, seed: seed &+ UInt64(round)) }
        #expect(steps == 2400)
    }

    private func run(_ type: String, seed: UInt64) throws -> Int {
        let club = try Club(type: type)
        for city in ["a", "b", "c"] { TeamEntity(context: club.main).city = city }
        try club.main.save()
        let background = club.stack.context()
        background.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        var scene = Scene(club: club, background: background, generator: SeededGenerator(seed: seed))
        let sectioning = Sectioning.allCases[scene.generator.below(3)]
        let request = NSFetchRequest<PlayerEntity>(entityName: "Player")
        request.sortDescriptors = ([sectioning.keyPath].compactMap { $0 } + ["score", "name"]).map {
            NSSortDescriptor(key: $0, ascending: $0 == "name" || scene.generator.below(2) == 0)
        }
        if scene.generator.below(3) > 0 { request.predicate = NSPredicate(format: "isActive == YES AND score < 7") }
        if scene.generator.below(6) == 0 { request.fetchLimit = 7 }
        let results = try LiveResults(request: request, sectionKeyPath: sectioning.keyPath, in: club.main)
        let usesArrange = scene.generator.below(4) == 0
        if usesArrange { results.arrange = { $0.map { Array($0.reversed()).filter { $0.score != 3 } } } }
        var model = results.state.rows
        results.didChange = { changes in
            do {
                model = try changes.applied(to: model) { path in
                    guard let player = results[path] else { throw ListChanges.Violation("no row \(path)") }
                    return player
                }
            } catch {
                Issue.record("seed \(seed): \(error) in \(changes)")
            }
        }
        let surfaces = [
            HeadlessSurface<PlayerEntity>(), HeadlessSurface<PlayerEntity>(), HeadlessSurface<PlayerEntity>(),
        ]
        for surface in surfaces { results.drive(surface) }
        surfaces[1].completesAtOnce = false
        for number in 0..<60 {
            try scene.step()
            if scene.generator.below(4) == 0 { surfaces[1].completeBatch() }
            surfaces[2].isShowing = scene.generator.below(3) > 0
            try check(model, results, surfaces, usesArrange, "seed \(seed) step \(number)")
        }
        while surfaces[1].isBusy { surfaces[1].completeBatch() }
        try #require(surfaces[1].rows == model)
        return 60
    }

    private func check(
        _ model: [[PlayerEntity]], _ results: LiveResults<PlayerEntity>, _ surfaces: [HeadlessSurface<PlayerEntity>],
        _ usesArrange: Bool, _ comment: String
    ) throws {
        let comment = Comment(rawValue: comment)
        try #require(model == results.state.rows, comment)
        try #require(surfaces[0].rows == model && surfaces[2].rows == model, comment)
        for surface in surfaces { try #require(surface.violations.isEmpty, comment) }
        try #require(surfaces[0].reloads == 1 && surfaces[1].reloads == 1, comment)
        var wanted = try results.context.fetch(results.request)
        if usesArrange {
            wanted = wanted.filter { $0.score != 3 }
            try #require(Set(wanted) == Set(model.joined()) && wanted.count == results.count, comment)
        } else {
            try #require(wanted == Array(model.joined()), comment)
        }
    }
}
