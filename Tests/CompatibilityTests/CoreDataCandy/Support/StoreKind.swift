import CoreDataCandy
import TestSupport

/// The stores that a test runs against.
enum StoreKind: CaseIterable, Sendable {
    case sqlite
    case memory

    func stack() throws -> TestStack {
        try TestStack(model: PlayerModel.make(), type: self == .sqlite ? NSSQLiteStoreType : NSInMemoryStoreType)
    }

    /// Saves players and then runs a block on another context.
    func withPlayers<R>(
        _ players: [PlayerRow], _ block: (NSManagedObjectContext) throws -> R
    ) throws -> R {
        let stack = try stack()
        try stack.inContext { context in
            for row in players { row.insert(into: context) }
            try context.save()
        }
        return try stack.inContext(block)
    }
}

/// A player to be.
struct PlayerRow: Sendable {
    var name: String?
    var score: Int32 = 0
    var age: Int16 = 0
    var ratio: Double?
    var isActive = false

    @discardableResult
    func insert(into context: NSManagedObjectContext) -> PlayerEntity {
        let player = PlayerEntity(context: context)
        player.name = name
        player.score = score
        player.age = age
        player.ratio = ratio
        player.isActive = isActive
        return player
    }

    static let streamers = [
        PlayerRow(name: "Zerator", score: 4000, age: 30, ratio: 0.5, isActive: true),
        PlayerRow(name: "Mister MV", score: 2500, age: 40, ratio: 1),
        PlayerRow(name: "Maghla", score: 900, age: 20, ratio: 10.5, isActive: true),
        PlayerRow(name: "Joueur", score: 10, age: 20, ratio: 10),
        PlayerRow(name: nil, score: 20, age: 18),
    ]
}
