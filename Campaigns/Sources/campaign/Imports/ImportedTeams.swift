import CampaignCore
import Foundation
import OpenCoreData
import TestSupport

/// Objects for an import that may contradict each other, and what has to become of them.
///
/// A relationship is said by both of its sides, by one, or by some objects only; what they say may not be the same. The
/// import has to have what was said, or to refuse it.
struct ImportedTeams: Codable {
    /// A relationship of an entity; each has members that are of another one.
    enum Relation: String, Codable, CaseIterable {
        /// To-many, and the to-one that is its inverse.
        case players, team
        /// Ordered to-many, and the to-one that is its inverse.
        case lineup, lineupOf
        /// To-ones that are each other's inverses.
        case captain, captainOf
        /// To-many and ordered to-many that are each other's inverses.
        case tags, holders
        /// To-one without inverse.
        case rival

        var owner: String {
            switch self {
            case .players, .lineup, .captain: "Team"
            case .team, .lineupOf, .captainOf, .tags, .rival: "Player"
            case .holders: "Tag"
            }
        }

        var inverse: Relation? {
            switch self {
            case .players: .team
            case .team: .players
            case .lineup: .lineupOf
            case .lineupOf: .lineup
            case .captain: .captainOf
            case .captainOf: .captain
            case .tags: .holders
            case .holders: .tags
            case .rival: nil
            }
        }

        var destination: String { inverse?.owner ?? "Player" }
        var isToMany: Bool { [.players, .lineup, .tags, .holders].contains(self) }
        var isOrdered: Bool { self == .lineup || self == .holders }
    }

    struct Member: Codable {
        var relation: Relation
        /// The names of objects; at most one for a to-one.
        var names: [String]
    }

    struct Object: Codable {
        var name: String
        var members: [Member]
        var entity: String { String(name.prefix { $0 != "/" }) }
    }

    var objects: [Object]
    var skipsValidation: Bool

    // MARK: Making

    init(_ random: inout SplitMix64) {
        var names: [String: [String]] = [:]
        for (entity, most) in [("Team", 3), ("Player", 6), ("Tag", 3)] {
            names[entity] = (0..<1 + random.below(most)).map { "\(entity)/p\($0 + 1)" }
        }
        var said: [String: [Relation: [String]]] = [:]
        for relation in [Relation.team, .lineupOf, .captainOf, .tags, .rival] {
            for name in names[relation.owner] ?? [] {
                var others = (names[relation.destination] ?? []).shuffled(using: &random)
                others.removeLast(random.below(others.count + 1))
                if relation == .captainOf { others = others.filter { said[$0]?[.captain] == nil } }
                said[name, default: [:]][relation] = Array(others.prefix(relation.isToMany ? 3 : 1))
                guard let inverse = relation.inverse else { continue }
                for other in said[name]?[relation] ?? [] {
                    said[other, default: [:]][inverse, default: []].append(name)
                }
            }
        }
        let omitted = Set(Relation.allCases.filter { _ in random.chance(15) })
        let isPartial = random.chance(25)
        objects = names.values.flatMap(\.self).sorted().map { name in
            let entity = String(name.prefix { $0 != "/" })
            let members = Relation.allCases.filter { $0.owner == entity && !omitted.contains($0) }
                .filter { _ in !isPartial || random.chance(70) }
                .map { Member(relation: $0, names: (said[name]?[$0] ?? []).shuffled(using: &random)) }
            return Object(name: name, members: members)
        }
        if random.chance(50) { objects.shuffle(using: &random) }
        skipsValidation = random.chance(30)
        if random.chance(60) { for _ in 0..<1 + random.below(3) { damage(&random, names) } }
    }

    /// Changes one thing that an object says.
    private mutating func damage(_ random: inout SplitMix64, _ names: [String: [String]]) {
        let index = random.below(objects.count)
        switch random.below(12) {
        case 0: objects.append(objects[index])
        default:
            guard !objects[index].members.isEmpty else { return }
            let place = random.below(objects[index].members.count)
            var member = objects[index].members[place]
            switch random.below(8) {
            case 0: objects[index].members.append(member)
            case 1: member.names.append("\(member.relation.destination)/p99")
            case 2: if let first = member.names.first { member.names.append(first) }
            case 3, 4: if !member.names.isEmpty { member.names.remove(at: random.below(member.names.count)) }
            default: member.names.append(random.pick(names[member.relation.destination] ?? [""]))
            }
            if !member.relation.isToMany { member.names = Array(member.names.suffix(1)) }
            objects[index].members[place] = member
        }
    }

    /// The lines that the command reads.
    var lines: String {
        objects.map { object in
            let members = object.members.map { member in
                let list = member.names.map { "\"\($0)\"" }.joined(separator: ", ")
                return ", \"\(member.relation.rawValue)\": "
                    + (member.relation.isToMany ? "[\(list)]" : list.isEmpty ? "null" : list)
            }
            return "{\"entity\": \"\(object.entity)\", \"objectID\": \"\(object.name)\", \"name\": \"\(object.name)\""
                + "\(members.joined())}\n"
        }.joined()
    }

    // MARK: What is to be

    /// The members of each relationship of each object, as the store has to have them; nil when the objects contradict
    /// each other, or can't be imported for another reason.
    ///
    /// Those of relationships whose order nothing says come by name.
    var expected: [String: [Relation: [String]]]? {
        let known = Set(objects.map(\.name))
        guard known.count == objects.count else { return nil }
        var said: [String: [Relation: [String]]] = [:]
        for object in objects {
            for member in object.members {
                guard said[object.name]?[member.relation] == nil else { return nil }
                let found = member.names.filter(known.contains)
                guard found.count == member.names.count || skipsValidation, Set(found).count == found.count else {
                    return nil
                }
                said[object.name, default: [:]][member.relation] = found
            }
        }
        var result: [String: [Relation: [String]]] = [:]
        for object in objects {
            for relation in Relation.allCases where relation.owner == object.entity {
                result[object.name, default: [:]][relation] = said[object.name]?[relation] ?? []
            }
        }
        for (relation, inverse) in [
            (Relation.team, Relation.players), (.lineupOf, .lineup), (.tags, .holders), (.captainOf, .captain),
        ] {
            let isComplete = objects.allSatisfy { object in
                [relation, inverse].allSatisfy { $0.owner != object.entity || said[object.name]?[$0] != nil }
            }
            // Each side has a column of its own.
            if relation == .captainOf, isComplete { continue }
            for (own, other) in [(relation, inverse), (inverse, relation)] {
                for (name, members) in said {
                    for member in members[own] ?? [] where said[member]?[other]?.contains(name) != true {
                        guard said[member]?[other] == nil else { return nil }
                        result[member]?[other]?.append(name)
                    }
                }
            }
            for relation in [relation, inverse] where !relation.isToMany {
                for members in result.values where (members[relation]?.count ?? 0) > 1 { return nil }
            }
        }
        return result.mapValues { members in
            Dictionary(uniqueKeysWithValues: members.map { ($0, $1.sorted()) })
        }
    }

    /// The order that an object says; nil where it says none.
    func order(of name: String, _ relation: Relation) -> [String]? {
        let known = Set(objects.map(\.name))
        return objects.first { $0.name == name }?.members.first { $0.relation == relation }?.names
            .filter(known.contains)
    }

    // MARK: The store

    static func model() -> NSManagedObjectModel {
        var entities: [String: NSEntityDescription] = [:]
        for name in ["Team", "Player", "Tag"] {
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = [LibraryModel.attribute("name", .stringAttributeType)]
            entities[name] = entity
        }
        for relation in Relation.allCases {
            guard let owner = entities[relation.owner], let destination = entities[relation.destination] else {
                continue
            }
            owner.properties.append(
                LibraryModel.relationship(
                    relation.rawValue, to: destination, toMany: relation.isToMany, ordered: relation.isOrdered,
                    rule: .nullifyDeleteRule))
        }
        for relation in Relation.allCases {
            guard let inverse = relation.inverse, let owner = entities[relation.owner],
                let destination = entities[relation.destination]
            else { continue }
            LibraryModel.pair(owner, relation.rawValue, destination, inverse.rawValue)
        }
        let model = NSManagedObjectModel()
        model.entities = ["Player", "Tag", "Team"].compactMap { entities[$0] }
        return model
    }

    /// What a store has of a relationship, by the names of objects, read by the `sqlite3` command.
    static func stored(_ relation: Relation, in store: URL) throws -> [String: [String]] {
        let statement: String
        switch relation {
        case .team, .lineupOf, .captainOf, .captain, .rival:
            statement =
                "SELECT o.ZNAME, d.ZNAME FROM Z\(relation.owner.uppercased()) o "
                + "JOIN Z\(relation.destination.uppercased()) d ON d.Z_PK = o.Z\(relation.rawValue.uppercased())"
        case .players, .lineup:
            let key = relation.inverse?.rawValue.uppercased() ?? ""
            let order = relation.isOrdered ? "d.Z_FOK_\(key)" : "1"
            statement =
                "SELECT o.ZNAME, d.ZNAME FROM ZPLAYER d JOIN ZTEAM o ON o.Z_PK = d.Z\(key) ORDER BY o.Z_PK, \(order)"
        case .tags, .holders:
            let isOwner = relation == .tags
            statement =
                "SELECT \(isOwner ? "p.ZNAME, t.ZNAME" : "t.ZNAME, p.ZNAME") FROM Z_1TAGS j "
                + "JOIN ZPLAYER p ON p.Z_PK = j.Z_1HOLDERS JOIN ZTAG t ON t.Z_PK = j.Z_2TAGS "
                + "ORDER BY t.Z_PK, j.Z_FOK_1HOLDERS"
        }
        var result: [String: [String]] = [:]
        for line in try SQLiteShell.run(statement, on: store).split(separator: "\n") {
            let parts = line.split(separator: "|").map(String.init)
            if parts.count == 2 { result[parts[0], default: []].append(parts[1]) }
        }
        return result
    }
}
