#if Macros
import SwiftData

enum Mood: String, Codable, CaseIterable { case calm, happy, wild }
enum Season: Codable { case spring, summer, autumn, winter }

struct Place: Codable, Hashable {
    var city: String
    var country: String?
    var visits: Int
    var tags: [String]
}

@Model
final class Trip {
    #Index<Trip>([\.name], [\.name, \.start])
    @Attribute(.unique) var name: String
    var start: Date
    var days: Int = 3
    var mood: Mood = Mood.happy
    var season: Season?
    var place: Place?
    var tags: [String] = []
    var code: UUID = UUID()
    private(set) var rating: Double = 0
    @Transient var isShown = false
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []

    init(name: String, start: Date = Date(timeIntervalSinceReferenceDate: 0)) {
        self.name = name
        self.start = start
    }

    func rate(_ rating: Double) { self.rating = rating }
}

@Model
class Stop {
    var title: String
    @Attribute(originalName: "position") var number: Int = 0
    var trip: Trip?

    init(title: String, number: Int = 0, trip: Trip? = nil) {
        self.title = title
        self.number = number
        self.trip = trip
    }
}
#endif
