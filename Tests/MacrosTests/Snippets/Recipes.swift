// As the page has it, without the indentation inside of the condition.
// swift-format-ignore-file

#if Macros
import OpenCoreDataKit
import OpenCoreDataMacros

@ManagedObject
final class Recipe: NSManagedObject {
    @Attribute(.unique) var name: String = ""
    @Attribute(min: 1, max: 600) var minutes: Int = 30
    var course: Course = .main
    var added: Date = .now
    var photo: Data?
    @Relationship(deleteRule: .cascade, inverse: \Step.recipe) var steps: [Step]
    var cooks: Set<Cook>
}

enum Course: String, Codable {
    case starter, main, dessert
}

@ManagedObject
final class Step: NSManagedObject {
    var text: String = ""
    var recipe: Recipe?
}

@ManagedObject
final class Cook: NSManagedObject {
    var name: String = ""
    var recipes: Set<Recipe>
}

func openKitchen(in folder: URL) async throws -> Database {
    let model = try NSManagedObjectModel(for: Recipe.self, Step.self, Cook.self)
    return try await Database.open(
        Database.Configuration(name: "Kitchen", model: .value(model), stores: [.sqlite(in: .at(folder))]))
}

func quickDesserts(in kitchen: Database) async throws -> [String] {
    try await kitchen.read { context in
        let dessert = Course.dessert
        let quick = Query(Recipe.self).filter(#Predicate { $0.minutes < 20 && $0.course == dessert })
        return try context.all(quick.sorted(SortDescriptor(\.name))).map(\.name)
    }
}

func addPancakes(to kitchen: Database) async throws {
    try await kitchen.write { context in
        let pancakes = try context.create(Recipe.self)
        pancakes.name = "Pancakes"
        pancakes.minutes = 15
        pancakes.course = .dessert
        for text in ["Mix", "Wait", "Fry"] {
            let step = try context.create(Step.self)
            step.text = text
            pancakes.steps.append(step)
        }
    }
}
#endif
