import OpenCoreDataKit

func oldest(in context: Context) throws -> [Villager] {
    let query = Query(Villager.self)
        .filter(#Predicate { $0.age >= 18 && $0.name != "" })
        .filter(NSPredicate(format: "village.name = %@", "Bree"))
        .sorted(SortDescriptor(\.age, order: .reverse), SortDescriptor(\.name))
        .limit(10)
        .prefetching(\.village)
    return try context.all(query)
}

func lookAround(in context: Context) throws -> [String] {
    let smiths = Query(Villager.self).filter(#Predicate { $0.trade == "smith" })
    let one = try context.one(smiths)  // throws DatabaseError.notFound without a result
    let perhaps = try context.first(smiths.filter(#Predicate { $0.age > 90 }))
    let ids = try context.ids(smiths)
    let count = try context.count(smiths)
    return [one.name, perhaps?.name ?? "nobody", "\(ids.count) of \(count)"]
}

func names(of size: Int, in context: Context) throws -> [[String]] {
    let query = Query(Villager.self).sorted(SortDescriptor(\.age, order: .reverse), SortDescriptor(\.name)).limit(size)
    var pages: [[String]] = []
    var last: Villager?
    repeat {
        let page = try context.all(query.after(last))
        pages.append(page.map(\.name))
        last = page.last
    } while last != nil
    return pages
}

func change(in context: Context) throws {
    let newcomer = try context.create(Villager.self)
    newcomer.name = "Barliman"
    newcomer.village = try context.findOrCreate(Village.self, matching: ["name": "Bree"])

    let children = Query(Villager.self).filter(#Predicate { $0.age < 18 })
    try context.update(children) { $0.trade = nil }
    try context.delete(children.filter(#Predicate { $0.name == "Nobody" }))
    try context.save()
}

func changeInTheStore(in context: Context) throws -> Int {
    let retired = Query(Villager.self).filter(#Predicate { $0.age > 70 })
    return try context.batchUpdate(retired, set: ["trade": nil])
}

func trades(in context: Context) throws -> [String] {
    let villagers = Query(Villager.self)
    let mean: Double? = try context.value(villagers.average(\.age))
    let rows = try context.rows(
        villagers.summarized(
            .count(), .median(\.age, as: "middle"), by: \.trade, having: NSPredicate(format: "count > 1")
        ).sorted(by: "trade"))
    return try rows.map { row in
        let count = try row.value("count", as: Int.self) ?? 0
        let middle = try row.value("middle", as: Double.self) ?? mean ?? 0
        return "\(count) of trade \(row["trade"] ?? "none"), half of them under \(middle)"
    }
}

extension Villager: Keyed {
    typealias Key = Int
    static var keyAttribute: String { "number" }
}

extension Village: Keyed {
    typealias Key = String
    static var keyAttribute: String { "name" }
}

struct Entry: Identifiable, Sendable {
    var id: Int
    var name: String
    var village: String
}

func bring(_ entries: [Entry], into context: Context) throws -> UpsertOutcome {
    try context.upsert(entries.map(\.village), into: Village.self, key: \.self) { _, _ in }
    let villages = try context.objects(Village.self, keys: entries.map(\.village))
    return try context.upsert(entries, into: Villager.self, batchSize: 2000) { entry, villager in
        villager.name = entry.name
        villager.village = villages[entry.village]
    }
}
