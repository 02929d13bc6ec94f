import CoreDataMonk
import TestSupport

extension CoreDataUpdate {
    /// A new person.
    @discardableResult
    func person(_ name: String, age: Int? = nil, location: String? = nil) throws -> Person {
        let person = try create(Person.self)
        (person.name, person.age, person.location) = (name, age, location)
        return person
    }
}

extension PeopleStack {
    /// Ann, 40, and Bob, 20, whose friend she is.
    static func withFriends(_ kind: StoreKind) async throws -> PeopleStack {
        let people = try PeopleStack(kind)
        try await people.update { update in
            let ann = try update.person("Ann", age: 40, location: "Taipei")
            try update.person("Bob", age: 20, location: "Bern").friend = ann
        }
        return people
    }

    /// So many people, P00, P01 and so on, aged 0, 1 and so on.
    static func numbered(_ count: Int, _ kind: StoreKind = .database) async throws -> PeopleStack {
        let people = try PeopleStack(kind)
        try await people.update { update in
            for number in 0..<count { try update.person(String(format: "P%02d", number), age: number) }
        }
        return people
    }

    /// The person of a name, in an update.
    nonisolated func first(_ update: CoreDataUpdate, _ name: String) throws -> Person {
        try update.fetch(Person.self, %"name" == name)
    }

    /// The names of all people on the main context, in order.
    func names(_ query: CoreDataQuery? = nil, options: CoreDataQueryOptions? = nil) throws -> [String] {
        try world.fetchAll(Person.self, query, orderBy: .ascending("name"), options: options).compactMap(\.name)
    }
}
