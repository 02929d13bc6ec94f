import Foundation
import SwiftData

enum Mood: String, Codable, CaseIterable {
    case calm, busy, wild
}

struct Place: Codable, Hashable {
    var city: String
    var country: String?
}

@Model
final class Trip {
    #Index<Trip>([\.start], [\.name])

    @Attribute(.unique) var name: String
    var place: Place
    var start: Date
    var mood: Mood = Mood.calm
    var budget: Decimal?
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []

    init(name: String, place: Place, start: Date) {
        self.name = name
        self.place = place
        self.start = start
    }

    var visited: Int { stops.filter(\.isVisited).count }
}

@Model
final class Stop {
    @Attribute(.preserveValueOnDeletion) var title: String
    var isVisited = false
    var trip: Trip?

    init(title: String) { self.title = title }
}
