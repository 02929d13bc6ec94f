import CampaignCore
import Foundation
import OpenCoreData

/// Random predicates, and format strings from the grammar, mutated or senseless, with arguments of any number and type:
/// SQLite must answer what evaluating objects answers, and nothing may trap.
struct PredicateCampaign: Campaign {
    struct Input: Codable {
        enum Kind: String, Codable { case tree, grammar, mutation, noise }

        var kind: Kind
        /// The seed of the model and its objects.
        var world: UInt64
        /// The seed of a predicate that is made as a tree.
        var tree: UInt64 = 0
        /// The index of the entity that a format is about.
        var entity = 0
        var format = ""
        var arguments: [FormatArgument] = []
    }

    static let name = "predicates"
    static let summary = "Predicates of every form on objects in memory and in SQLite; formats that are noise."
    static let aim = "10,000,000"
    static let secondsPerCase = 60
    static let casesPerProcess = 20_000
    /// How many cases share a world: making one takes as long as many cases.
    private static let casesPerWorld = 400

    private let isPlanted: Bool
    private var worlds: [(seed: UInt64, world: World)] = []

    init(_ workspace: Workspace) throws { isPlanted = workspace.isPlanted }

    private mutating func world(_ seed: UInt64) throws -> World {
        if let known = worlds.first(where: { $0.seed == seed }) { return known.world }
        let world = try World(seed: seed)
        worlds = Array(([(seed, world)] + worlds).prefix(2))
        return world
    }

    mutating func input(_ index: Int, _ random: inout SplitMix64) throws -> Input {
        var shared = SplitMix64(seed: 0x5EED, case: index / Self.casesPerWorld)
        var input = Input(kind: .tree, world: shared.next() >> 20)
        if random.chance(45) {
            input.tree = random.next()
            return input
        }
        let layout = try world(input.world).layout
        input.entity = random.below(layout.entities.count)
        var grammar = FormatGrammar(layout.entities[input.entity], random)
        _ = random.next()
        input.format = grammar.format()
        input.arguments = grammar.arguments
        switch random.below(10) {
        case 0..<5: input.kind = .grammar
        case 5..<9:
            input.kind = .mutation
            input.format = Noise.mutated(input.format, &random)
        default:
            input.kind = .noise
            input.format = Noise.string(&random, length: 40)
            input.arguments = (0..<random.below(3)).map { _ in .random(&random) }
        }
        return input
    }

    mutating func run(_ input: Input, _ trial: Trial) throws {
        let world = try world(input.world)
        var agreement = Agreement(world)
        defer {
            trial.compared(agreement.cases)
            trial.count("refused by both", by: agreement.unanswerable)
        }
        if input.kind == .tree {
            trial.count("trees")
            if let difference = agreement.check(seed: input.tree) {
                throw CampaignFailure(difference.kind.rawValue, difference.text)
            }
            return
        }
        try runFormat(input, world, &agreement, trial)
    }

    private func predicate(_ input: Input, _ world: World, _ store: any RowStore) throws -> NSPredicate {
        let identifier = world.identifier(in: store)
        let entities = world.layout.entities
        let values = input.arguments.map { argument in
            argument.value { entity, reference in identifier(entities[entity % entities.count], reference) }
        }
        return try NSPredicate(validatingFormat: input.format, argumentArray: values)
    }

    private func runFormat(_ input: Input, _ world: World, _ agreement: inout Agreement, _ trial: Trial) throws {
        let mine: NSPredicate
        let theirs: NSPredicate
        do {
            mine = try predicate(input, world, world.sqlite)
            theirs = try predicate(input, world, world.memory)
        } catch {
            trial.count("\(input.kind.rawValue): refused")
            return try Sentences.check(error)
        }
        trial.count("\(input.kind.rawValue): parsed")
        evaluateOutsideOfStores(mine)
        var (first, second) = (
            StoreQuery(entity: world.layout.entities[input.entity]),
            StoreQuery(entity: world.layout.entities[input.entity])
        )
        (first.predicate, second.predicate) = (mine, theirs)
        (first.includesValues, second.includesValues) = (false, false)
        // What depends on the moment or on chance cannot agree.
        let string = input.format.lowercased()
        guard !string.contains("now"), !string.contains("random") else { return }
        if isPlanted { second.predicate = NSCompoundPredicate(notPredicateWithSubpredicate: theirs) }
        if let difference = agreement.compare(first, second) {
            throw CampaignFailure("Format: \(difference.kind.rawValue)", difference.text)
        }
    }

    /// What a program may do with a predicate besides fetching: nothing of it may trap.
    private func evaluateOutsideOfStores(_ predicate: NSPredicate) {
        let record: [String: Any] = ["value1": 1, "text2": "a", "link3": [1, 2], "nothing": NSNull()]
        _ = predicate.evaluate(with: record)
        _ = predicate.evaluate(with: nil)
        _ = predicate.evaluate(with: "text", substitutionVariables: ["x": 1])
        let printed = predicate.predicateFormat
        _ = NSPredicate(format: printed, argumentArray: nil).evaluate(with: record)
        _ = predicate == predicate.copy() as? NSPredicate
    }
}
