import SwiftData

enum Mood: String, Codable { case calm, busy, wild }

struct Place: Codable {
    var city: String
    var country: String?
    var visits: Int
}

/// The classes of the workload as programs for SwiftData declare them.
@Model
final class Journey {
    var name: String
    var days: Int
    var cost: Double
    var start: Date
    var isBooked: Bool
    var code: UUID
    var mood: Mood
    var place: Place
    var guide: Guide?

    init(name: String, days: Int, cost: Double, start: Date, isBooked: Bool, code: UUID, mood: Mood, place: Place) {
        self.name = name
        self.days = days
        self.cost = cost
        self.start = start
        self.isBooked = isBooked
        self.code = code
        self.mood = mood
        self.place = place
    }
}

@Model
final class Guide {
    var name: String
    var age: Int
    @Relationship(inverse: \Journey.guide) var journeys: [Journey] = []

    init(name: String, age: Int) {
        self.name = name
        self.age = age
    }
}
