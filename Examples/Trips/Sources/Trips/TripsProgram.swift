import Foundation
import SwiftData

@main
struct TripsProgram {
    @MainActor
    static func main() async throws {
        let folder = CommandLine.arguments.dropFirst().first.map { URL(fileURLWithPath: $0, isDirectory: true) }
        let configuration = folder.map { ModelConfiguration(url: $0.appendingPathComponent("Trips.store")) }
        let container = try ModelContainer(
            for: Trip.self, configurations: configuration ?? ModelConfiguration(isStoredInMemoryOnly: true))
        let book = TripBook(modelContainer: container)

        _ = try await book.add("Rome", city: "Roma", country: "Italia", stops: ["Forum", "Tiber", "Ostia"])
        let id = try await book.add("Fjords", city: "Bergen", country: "Norge", stops: ["Flam"])
        _ = try await book.add("Home", city: "Bonn", country: nil, stops: [])
        let (lines, token) = try await book.changes(since: nil)
        print("\(lines.count) changes so far")

        let context = container.mainContext
        try show(context)

        // The main context and the actor's see one row, each as a model of its own.
        if let fjords = context.model(for: id) as? Trip {
            fjords.mood = .wild
            fjords.budget = 1_250
            fjords.stops.append(Stop(title: "Odda"))
        }
        try context.save()
        print(try await book.visit("Forum", of: "Rome") ? "The Forum was visited." : "There is no Forum.")

        let wild = Mood.wild
        let query = FetchDescriptor<Trip>(
            predicate: #Predicate { $0.mood == wild || $0.place.country == nil }, sortBy: [SortDescriptor(\.name)])
        print("Wild or near:", try context.fetch(query).map(\.name).joined(separator: ", "))

        // The same name again changes the row that is there.
        let again = Trip(name: "Home", place: Place(city: "Bonn", country: "Deutschland"), start: .now)
        context.insert(again)
        try context.save()
        try show(context)

        print("\(try await book.delete("Rome")) trips are left.")
        for line in try await book.changes(since: token).lines { print(" ", line) }
    }

    @MainActor
    private static func show(_ context: ModelContext) throws {
        for trip in try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])) {
            let country = trip.place.country.map { ", \($0)" } ?? ""
            print("\(trip.name) (\(trip.place.city)\(country)): \(trip.visited) of \(trip.stops.count) stops")
        }
    }
}
