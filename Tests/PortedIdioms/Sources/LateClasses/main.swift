import CoreData
import Foundation

// Classes that nothing has used when the model names them. The first argument is an image that is loaded later.

class Cupboard: NSManagedObject {}

func expect(_ holds: Bool, _ what: String, line: UInt = #line) {
    if !holds {
        print("late classes: line \(line): \(what)")
        exit(1)
    }
}

func entity(_ name: String, _ className: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = className
    let map = NSAttributeDescription()
    map.name = "map"
    map.attributeType = .stringAttributeType
    entity.properties = [map]
    return entity
}

let model = NSManagedObjectModel()
model.entities = [
    entity("Volume", "Volume"), entity("Atlas", "Shelf.Atlas"), entity("Cupboard", ".Cupboard"),
    entity("LateBook", "LateBook"), entity("Plain", "NoClassOfThisName"),
]
let container = NSPersistentContainer(name: "Shelf", managedObjectModel: model)
container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
container.loadPersistentStores { _, error in expect(error == nil, "\(error as Any)") }
let context = container.viewContext

func className(_ entity: String) -> String {
    String(reflecting: type(of: NSEntityDescription.insertNewObject(forEntityName: entity, into: context)))
}

expect(className("Volume") == "Shelf.Volume", className("Volume"))
expect(className("Atlas") == "Shelf.Atlas", className("Atlas"))
// The model's other classes are in the library.
expect(className("Cupboard") == "Shelf.Cupboard", className("Cupboard"))
expect(className("LateBook") == "CoreDataEngine.NSManagedObject", className("LateBook"))
expect(className("Plain") == "CoreDataEngine.NSManagedObject", className("Plain"))
do {
    try context.save()
    context.reset()
    let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Atlas"))
    expect(found.allSatisfy { String(reflecting: type(of: $0)) == "Shelf.Atlas" }, "\(found)")
} catch { expect(false, "\(error)") }

// On the main thread, inside of a queue of the program's own, which Dispatch says is not the main queue.
expect(Thread.isMainThread, "the program does not begin on the main thread")
let inside = DispatchQueue(label: "own").sync {
    context.performAndWait { DispatchQueue(label: "another").sync { context.performAndWait { className("Volume") } } }
}
expect(inside == "Shelf.Volume", inside)
let background = container.newBackgroundContext()
let counted = DispatchQueue(label: "own").sync {
    background.performAndWait {
        context.performAndWait {
            (try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Volume"))) ?? -1
        }
    }
}
expect(counted > 0, "\(counted)")

if CommandLine.arguments.count > 1 {
    guard dlopen(CommandLine.arguments[1], RTLD_NOW) != nil else {
        print("late classes: the image can't be loaded: \(String(cString: dlerror()))")
        exit(1)
    }
    expect(className("LateBook") == "LateLibrary.LateBook", className("LateBook"))
    let late = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Plain"))
    expect(late.allSatisfy { type(of: $0) == NSManagedObject.self }, "\(late)")
}
print("late classes: found")
