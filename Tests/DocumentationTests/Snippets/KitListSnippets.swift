import OpenCoreDataKit

@MainActor func watchSmiths(in database: Database) async throws {
    let smiths = Query(Villager.self).filter(#Predicate { $0.trade == "smith" }).sorted(SortDescriptor(\.name))
    let results = try LiveResults(smiths, in: database.main)
    for await villagers in results.snapshots {
        print(villagers.map(\.name))
    }
}

actor Roster {
    private(set) var names: [String] = []

    func follow(_ database: Database) async throws {
        let query = Query(Villager.self).sorted(SortDescriptor(\.name))
        for try await list in LiveValues(query, in: database, { $0.name }) { names = list.values }
    }
}

@MainActor func mirror(_ results: LiveResults<Villager>) async throws {
    var names = results.sections.map { $0.objects.map(\.name) }
    for await batch in results.changes {
        names = try batch.applied(to: names) { results[$0]?.name ?? "" }
    }
}

@MainActor func narrow(_ results: LiveResults<Villager>) throws {
    results.arrange = { sections in sections.map { $0.filter { $0.village != nil } } }
    try results.change { $0 = $0.filter(#Predicate { $0.age > 30 }) }
}

@MainActor func listen(in context: Context, to villager: Villager) async {
    for await change in context.changes(of: Villager.self, when: .saved) where !change.inserted.isEmpty {
        print("\(change.inserted.count) came")
    }
    for await name in villager.values(for: \.name) {
        print(name)
    }
}

@MainActor func show(_ results: LiveResults<Villager>, on surface: TerminalSurface) {
    results.drive(surface) { villager, _ in "\(villager.name), \(villager.age)" }
}

@MainActor final class LineSurface: ListSurface {
    private var content: ListContent<String>?
    private(set) var lines: [[String]] = []

    func show(_ content: ListContent<String>?) { self.content = content }

    func reload() { lines = content?.rows ?? [] }

    func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void) {
        lines = (try? changes.applied(to: lines) { content?.row(at: $0) ?? "" }) ?? []
        completion()
    }
}

enum Trade: String {
    case smith, baker, other
}

struct Settlement: Record {
    let object: Village
    let name = Field(\.name, rules: .notEmpty)

    init(object: Village) { self.object = object }
}

struct Resident: Record {
    let object: Villager
    let name = Field(\.name, unique: true, rules: .notEmpty)
    let age = Field(\.age, rules: .isIn(0...120))
    let trade = Field(\.trade, as: Trade.self, fallback: .other)
    let village = ToOne(\.village, of: Settlement.self)

    init(object: Villager) { self.object = object }
}

func welcome(in context: Context) throws -> Resident {
    let resident = try Resident.create(in: context)
    try resident.set(\.name, to: "Barliman")
    try resident.set(\.age, to: 60)
    try resident.set(\.trade, to: .other)
    try resident.check("Butterbur", for: \.name)
    print(resident[\.name], resident[\.village]?[\.name] ?? "no village")
    return resident
}

func residents(in context: Context) throws -> [Resident] {
    let adults = Query(Resident.self).filter(#Predicate { $0.age >= 18 }).sorted(SortDescriptor(\.name))
    return try context.all(adults, as: Resident.self)
}

@MainActor func follow(_ resident: Resident) async {
    for await name in resident.values(for: \.name) {
        print(name)
    }
}

extension Validation where Value == Int {
    static var isEven: Validation {
        Validation("The number has to be even.") { $0.isMultiple(of: 2) }
    }
}
