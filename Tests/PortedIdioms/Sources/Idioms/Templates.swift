import CoreData
import Foundation

// Persistence.swift of Xcode's template for SwiftUI.
struct PersistenceController {
    static let shared = PersistenceController()

    @MainActor
    static let preview: PersistenceController = {
        let result = PersistenceController(inMemory: true)
        let viewContext = result.container.viewContext
        for _ in 0..<10 {
            let newItem = Item(context: viewContext)
            newItem.timestamp = Date()
        }
        do {
            try viewContext.save()
        } catch {
            let nsError = error as NSError
            fatalError("Unresolved error \(nsError), \(nsError.userInfo)")
        }
        return result
    }()

    let container: NSPersistentContainer

    init(inMemory: Bool = false) {
        container = NSPersistentContainer(name: "Library", managedObjectModel: Library.model)
        if inMemory {
            container.persistentStoreDescriptions.first!.url = URL(fileURLWithPath: "/dev/null")
        }
        container.loadPersistentStores(completionHandler: { (storeDescription, error) in
            if let error = error as NSError? {
                fatalError("Unresolved error \(error), \(error.userInfo)")
            }
        })
        container.viewContext.automaticallyMergesChangesFromParent = true
    }
}

// AppDelegate.swift of Xcode's template for UIKit.
@MainActor
class AppDelegate {
    lazy var persistentContainer: NSPersistentContainer = {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: Library.model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
        container.loadPersistentStores(completionHandler: { (storeDescription, error) in
            if let error = error as NSError? {
                fatalError("Unresolved error \(error), \(error.userInfo)")
            }
        })
        return container
    }()

    func saveContext() {
        let context = persistentContainer.viewContext
        if context.hasChanges {
            do {
                try context.save()
            } catch {
                let nserror = error as NSError
                fatalError("Unresolved error \(nserror), \(nserror.userInfo)")
            }
        }
    }
}

// A subclass of the container with a folder and helpers of its own, as in Apple's documentation.
final class LibraryContainer: NSPersistentContainer, @unchecked Sendable {
    override class func defaultDirectoryURL() -> URL {
        super.defaultDirectoryURL().appendingPathComponent("Own", isDirectory: true)
    }

    func saveContext(backgroundContext: NSManagedObjectContext? = nil) {
        let context = backgroundContext ?? viewContext
        guard context.hasChanges else { return }
        do {
            try context.save()
        } catch let error as NSError {
            print("Error: \(error), \(error.userInfo)")
        }
    }
}

// The stack of the years before containers.
final class CoreDataStack {
    private let modelName: String

    init(modelName: String) { self.modelName = modelName }

    private(set) lazy var managedObjectModel: NSManagedObjectModel = Library.model

    private(set) lazy var persistentStoreCoordinator: NSPersistentStoreCoordinator = {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: self.managedObjectModel)
        do {
            let url = try Library.folder().appendingPathComponent("\(self.modelName).sqlite")
            let options = [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ]
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        } catch {
            fatalError("Unable to Add Persistent Store: \(error)")
        }
        return coordinator
    }()

    private(set) lazy var writer: NSManagedObjectContext = {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = self.persistentStoreCoordinator
        return context
    }()

    private(set) lazy var mainManagedObjectContext: NSManagedObjectContext = {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.parent = self.writer
        return context
    }()

    func saveChanges() {
        mainManagedObjectContext.performAndWait {
            do {
                if self.mainManagedObjectContext.hasChanges { try self.mainManagedObjectContext.save() }
            } catch {
                print("Unable to Save Changes of Main Managed Object Context: \(error), \(error.localizedDescription)")
            }
        }
        writer.performAndWait {
            do {
                if self.writer.hasChanges { try self.writer.save() }
            } catch {
                print("Unable to Save Changes of Private Managed Object Context: \(error)")
            }
        }
    }
}

// A manager behind a protocol.
protocol PersistenceManaging {
    var viewContext: NSManagedObjectContext { get }
    func newBackgroundContext() -> NSManagedObjectContext
}

extension NSPersistentContainer: PersistenceManaging {}

extension NSManagedObjectContext {
    /// Only performs a save if there are changes to commit.
    @discardableResult public func saveIfNeeded() throws -> Bool {
        guard hasChanges else { return false }
        try save()
        return true
    }
}

let templates: [Idiom] = [
    Idiom("Xcode's PersistenceController, shared") {
        let context = PersistenceController.shared.container.viewContext
        let before = try context.count(for: Item.fetchRequest())
        let item = Item(context: context)
        item.timestamp = Date()
        try context.save()
        try check(context.count(for: Item.fetchRequest()) == before + 1)
        let url = PersistenceController.shared.container.persistentStoreDescriptions.first?.url
        try check(url?.lastPathComponent == "Library.sqlite")
    },
    Idiom("Xcode's PersistenceController, preview in /dev/null") {
        let context = PersistenceController.preview.container.viewContext
        try check(context.count(for: Item.fetchRequest()) == 10)
    },
    Idiom("Xcode's ContentView: add and delete items") {
        let viewContext = PersistenceController(inMemory: true).container.viewContext
        for _ in 0..<3 { Item(context: viewContext).timestamp = Date() }
        try viewContext.save()
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Item.timestamp, ascending: true)]
        let items = try viewContext.fetch(request)
        IndexSet([0, 2]).map { items[$0] }.forEach(viewContext.delete)
        try viewContext.save()
        try check(viewContext.fetch(request) == [items[1]])
    },
    Idiom("Xcode's AppDelegate: lazy persistentContainer, saveContext") {
        let delegate = AppDelegate()
        let item =
            NSEntityDescription.insertNewObject(
                forEntityName: "Item", into: delegate.persistentContainer.viewContext) as! Item
        item.timestamp = Date()
        delegate.saveContext()
        try check(!delegate.persistentContainer.viewContext.hasChanges && !item.objectID.isTemporaryID)
    },
    Idiom("a subclass of the container with a folder of its own") {
        let container = LibraryContainer(name: "Library", managedObjectModel: Library.model)
        let url = try unwrap(container.persistentStoreDescriptions.first?.url)
        try check(url.deletingLastPathComponent().lastPathComponent == "Own", url.path)
        container.loadPersistentStores { _, error in precondition(error == nil) }
        let background = container.newBackgroundContext()
        background.performAndWait {
            Item(context: background).timestamp = Date()
            container.saveContext(backgroundContext: background)
        }
        try check(FileManager.default.fileExists(atPath: url.path))
        try check(container.viewContext.count(for: Item.fetchRequest()) > 0)
    },
    Idiom("a stack with a writer and a main context") {
        let stack = CoreDataStack(modelName: "Library")
        Item(context: stack.mainManagedObjectContext).timestamp = Date()
        stack.saveChanges()
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = stack.persistentStoreCoordinator
        try check(other.performAndWait { try other.count(for: Item.fetchRequest()) } == 1)
    },
    Idiom("a container behind a protocol, saveIfNeeded") {
        let manager: PersistenceManaging = try Library.container()
        try check(!manager.viewContext.saveIfNeeded())
        Item(context: manager.viewContext).timestamp = Date()
        try check(manager.viewContext.saveIfNeeded())
    },
    Idiom("several stores by configuration descriptions, loaded asynchronously") {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: Library.model)
        let description = NSPersistentStoreDescription(url: try Library.folder().appendingPathComponent("a.sqlite"))
        description.shouldAddStoreAsynchronously = true
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        let loaded = Counter()
        container.loadPersistentStores { _, error in if error == nil { loaded.add() } }
        try await wait { loaded.value == 1 }
        try check(container.persistentStoreCoordinator.persistentStores.count == 1)
    },
    Idiom("a store that can't be opened gives an NSError with code and domain") {
        let url = try Library.folder().appendingPathComponent("broken.sqlite")
        try Data("no database, and long enough to be none".utf8).write(to: url)
        let container = NSPersistentContainer(name: "Library", managedObjectModel: Library.model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: NSError?
        container.loadPersistentStores { _, error in failure = error as NSError? }
        try check(failure?.domain == NSCocoaErrorDomain)
        try check(failure.map { $0.code > 0 && !$0.localizedDescription.isEmpty } == true)
    },
    Idiom("destroying and adding the store again") {
        let container = try Library.container()
        try Library.fill(container.viewContext)
        container.viewContext.reset()
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores {
            try coordinator.destroyPersistentStore(at: store.url!, ofType: store.type, options: nil)
        }
        container.loadPersistentStores { _, error in precondition(error == nil) }
        try check(container.viewContext.count(for: Book.fetchRequest()) == 0)
    },
]
