import Foundation
import SwiftData

/// Reads and changes trips beside the main context.
@ModelActor
actor TripBook {
    func add(_ name: String, city: String, country: String?, stops: [String]) throws -> PersistentIdentifier {
        let trip = Trip(name: name, place: Place(city: city, country: country), start: .now)
        modelContext.insert(trip)
        for title in stops { trip.stops.append(Stop(title: title)) }
        try modelContext.save()
        return trip.persistentModelID
    }

    func visit(_ title: String, of name: String) throws -> Bool {
        let found = FetchDescriptor<Stop>(predicate: #Predicate { $0.title == title && $0.trip?.name == name })
        guard let stop = try modelContext.fetch(found).first else { return false }
        stop.isVisited = true
        try modelContext.save()
        return true
    }

    func delete(_ name: String) throws -> Int {
        try modelContext.delete(model: Trip.self, where: #Predicate { $0.name == name })
        try modelContext.save()
        return try modelContext.fetchCount(FetchDescriptor<Trip>())
    }

    /// What was saved since a token, and the token of the end.
    func changes(since token: DefaultHistoryToken?) throws -> (lines: [String], token: DefaultHistoryToken?) {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        if let token { descriptor.predicate = #Predicate { $0.token > token } }
        let transactions = try modelContext.fetchHistory(descriptor)
        let lines = transactions.flatMap(\.changes).map { change in
            switch change {
            case .insert(let change): "new: \(change.changedPersistentIdentifier.entityName)"
            case .update(let change): "changed: \(change.changedPersistentIdentifier.entityName)"
            case .delete(let change as DefaultHistoryDelete<Stop>):
                "deleted: Stop \(change.tombstone[\.title] as? String ?? "")"
            case .delete(let change): "deleted: \(change.changedPersistentIdentifier.entityName)"
            }
        }
        return (lines, transactions.last?.token ?? token)
    }
}
