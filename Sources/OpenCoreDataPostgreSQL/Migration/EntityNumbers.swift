#if PostgreSQL
import Foundation
import OpenCoreData

/// The numbers of the entities of a store, which are given once and for all.
struct EntityNumbers {
    let numbers: [String: Int64]
    private let schema: String

    init(_ schema: String, _ connection: PostgreSQLConnection) throws {
        self.schema = schema
        var numbers: [String: Int64] = [:]
        let result = try connection.execute("SELECT name, number FROM \(SQLName.quoted(schema)).ocd_entity")
        try result.forEachRow { numbers[$0.string(0)] = try $0.integer(1) }
        self.numbers = numbers
    }

    /// Those of a new store: the entities are numbered in their order, from 1.
    static func new(_ entities: [NSEntityDescription]) -> [String: Int64] {
        var numbers: [String: Int64] = [:]
        for (index, entity) in entities.enumerated() { numbers[entity.name ?? ""] = Int64(index + 1) }
        return numbers
    }

    /// The numbers of the entities of a new model. Renamed entities keep their numbers.
    func assigned(by match: ModelMatch) -> [String: Int64] {
        var next = (numbers.values.max() ?? 0) + 1
        var assigned: [String: Int64] = [:]
        for pair in match.pairs {
            guard let name = pair.destination?.name else { continue }
            if let former = pair.source?.name, let number = numbers[former] {
                assigned[name] = number
            } else {
                assigned[name] = next
                next += 1
            }
        }
        return assigned
    }

    func change(
        to assigned: [String: Int64], _ match: ModelMatch, _ connection: PostgreSQLConnection
    ) throws {
        let table = "\(SQLName.quoted(schema)).ocd_entity"
        let present = Dictionary(numbers.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var names = Dictionary(assigned.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        // The number of an entity that is gone is not given to another.
        for pair in match.pairs where pair.destination == nil {
            if let name = pair.source?.name, let number = numbers[name] { names[number] = "-\(number) \(name)" }
        }
        let renamed = names.filter { present[$0.key] != nil && present[$0.key] != $0.value }
            .sorted { $0.key < $1.key }
        func set(_ number: Int64, _ name: String) throws {
            try connection.execute(
                "UPDATE \(table) SET name = $1::text WHERE number = $2::int8",
                values: [.text(name), .int8(number)])
        }
        for (number, _) in renamed { try set(number, "-\(number)") }
        for (number, name) in renamed { try set(number, name) }
        for (number, name) in names.sorted(by: { $0.key < $1.key }) where present[number] == nil {
            try connection.execute(
                "INSERT INTO \(table) (number, name) VALUES ($1::int8, $2::text)",
                values: [.int8(number), .text(name)])
        }
    }
}
#endif
