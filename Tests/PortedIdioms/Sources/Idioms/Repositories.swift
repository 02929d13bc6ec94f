import CoreData
import Foundation

// A protocol with the entity's name, and everything that follows from it.
protocol Managed: AnyObject, NSFetchRequestResult {
    static var entityName: String { get }
    static var defaultSortDescriptors: [NSSortDescriptor] { get }
}

extension Managed {
    static var defaultSortDescriptors: [NSSortDescriptor] { return [] }

    static var sortedFetchRequest: NSFetchRequest<Self> {
        let request = NSFetchRequest<Self>(entityName: entityName)
        request.sortDescriptors = defaultSortDescriptors
        return request
    }
}

extension Managed where Self: NSManagedObject {
    static var entityName: String { return String(describing: self) }

    static func findOrCreate(
        in context: NSManagedObjectContext, matching predicate: NSPredicate, configure: (Self) -> Void
    ) -> Self {
        guard let object = findOrFetch(in: context, matching: predicate) else {
            let newObject: Self = context.insertObject()
            configure(newObject)
            return newObject
        }
        return object
    }

    static func findOrFetch(in context: NSManagedObjectContext, matching predicate: NSPredicate) -> Self? {
        guard let object = materializedObject(in: context, matching: predicate) else {
            return fetch(in: context) { request in
                request.predicate = predicate
                request.returnsObjectsAsFaults = false
                request.fetchLimit = 1
            }.first
        }
        return object
    }

    static func fetch(
        in context: NSManagedObjectContext, configurationBlock: (NSFetchRequest<Self>) -> Void = { _ in }
    ) -> [Self] {
        let request = NSFetchRequest<Self>(entityName: Self.entityName)
        configurationBlock(request)
        return try! context.fetch(request)
    }

    static func materializedObject(in context: NSManagedObjectContext, matching predicate: NSPredicate) -> Self? {
        for object in context.registeredObjects where !object.isFault {
            guard let result = object as? Self, predicate.evaluate(with: result) else { continue }
            return result
        }
        return nil
    }
}

extension NSManagedObjectContext {
    func insertObject<A: NSManagedObject>() -> A where A: Managed {
        guard let obj = NSEntityDescription.insertNewObject(forEntityName: A.entityName, into: self) as? A else {
            fatalError("Wrong object type")
        }
        return obj
    }
}

extension Setting: Managed {
    static var defaultSortDescriptors: [NSSortDescriptor] { return [NSSortDescriptor(key: "key", ascending: true)] }
}

// A repository of any entity.
protocol Repository {
    associatedtype Entity
    func get(predicate: NSPredicate?, sortDescriptors: [NSSortDescriptor]?) -> Result<[Entity], Error>
    func create() -> Result<Entity, Error>
    func delete(entity: Entity) -> Result<Bool, Error>
}

enum CoreDataError: Error {
    case invalidManagedObjectType
}

class CoreDataRepository<T: NSManagedObject>: Repository {
    typealias Entity = T
    private let managedObjectContext: NSManagedObjectContext

    init(managedObjectContext: NSManagedObjectContext) { self.managedObjectContext = managedObjectContext }

    func get(predicate: NSPredicate?, sortDescriptors: [NSSortDescriptor]?) -> Result<[Entity], Error> {
        let fetchRequest = Entity.fetchRequest()
        fetchRequest.predicate = predicate
        fetchRequest.sortDescriptors = sortDescriptors
        do {
            if let fetchResults = try managedObjectContext.fetch(fetchRequest) as? [Entity] {
                return .success(fetchResults)
            } else {
                return .failure(CoreDataError.invalidManagedObjectType)
            }
        } catch {
            return .failure(error)
        }
    }

    func create() -> Result<Entity, Error> {
        let className = String(describing: Entity.self)
        guard
            let managedObject = NSEntityDescription.insertNewObject(
                forEntityName: className, into: managedObjectContext) as? Entity
        else { return .failure(CoreDataError.invalidManagedObjectType) }
        return .success(managedObject)
    }

    func delete(entity: Entity) -> Result<Bool, Error> {
        managedObjectContext.delete(entity)
        return .success(true)
    }
}

// Active records.
extension NSManagedObject {
    class func count(in context: NSManagedObjectContext) throws -> Int {
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: entity().name ?? "")
        return try context.count(for: request)
    }

    class func deleteAll(in context: NSManagedObjectContext) throws {
        let request: NSFetchRequest<NSFetchRequestResult> = fetchRequest()
        request.includesPropertyValues = false
        for object in try context.fetch(request) as! [NSManagedObject] { context.delete(object) }
    }
}

// A domain type, and the way back.
struct BookValue: Equatable {
    var title: String
    var pages: Int
}

protocol DomainConvertible {
    associatedtype Domain
    func toDomain() -> Domain?
}

extension Book: DomainConvertible {
    func toDomain() -> BookValue? {
        guard let title = title else { return nil }
        return BookValue(title: title, pages: Int(pages))
    }
}

// The context of a decoder.
extension CodingUserInfoKey {
    static let managedObjectContext = CodingUserInfoKey(rawValue: "managedObjectContext")!
}

struct BookDTO: Decodable {
    let objectID: NSManagedObjectID

    enum CodingKeys: String, CodingKey { case title, pages }

    init(from decoder: Decoder) throws {
        guard let context = decoder.userInfo[.managedObjectContext] as? NSManagedObjectContext else {
            throw CoreDataError.invalidManagedObjectType
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let book = Book(context: context)
        book.title = try container.decode(String.self, forKey: .title)
        book.pages = try container.decode(Int32.self, forKey: .pages)
        objectID = book.objectID
    }
}

let repositories: [Idiom] = [
    Idiom("Managed: find or create") {
        let context = try Library.container().viewContext
        let theme = Setting.findOrCreate(in: context, matching: NSPredicate(format: "key == %@", "theme")) {
            $0.key = "theme"
        }
        theme.value = "dark"
        try context.save()
        let again = Setting.findOrCreate(in: context, matching: NSPredicate(format: "key == %@", "theme")) { _ in
            fatalError("It is there.")
        }
        try check(again === theme && Setting.entityName == "Setting")
        let fetched = try context.fetch(Setting.sortedFetchRequest)
        try check(fetched.map(\.key) == ["theme"])
    },
    Idiom("a generic repository") {
        let context = try Library.container().viewContext
        let repository = CoreDataRepository<Book>(managedObjectContext: context)
        let book = try repository.create().get()
        book.title = "Solaris"
        let found = try repository.get(
            predicate: NSPredicate(format: "%K == %@", keyPathLike("title"), "Solaris"),
            sortDescriptors: nil
        ).get()
        try check(found == [book])
        _ = try repository.delete(entity: book).get()
        try check(repository.get(predicate: nil, sortDescriptors: []).get().isEmpty)
    },
    Idiom("active records: count and deleteAll of a class") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        try check(Book.count(in: context) == 12 && Author.count(in: context) == 2)
        try Book.deleteAll(in: context)
        try context.save()
        try check(Book.count(in: context) == 0)
    },
    Idiom("T(context:) in generic code") {
        func make<T: NSManagedObject>(_ type: T.Type, _ context: NSManagedObjectContext, _ set: (T) -> Void) -> T {
            let object = T(context: context)
            set(object)
            return object
        }
        let context = try Library.container().viewContext
        let book = make(Book.self, context) { $0.title = "generic" }
        try check(context.insertedObjects == [book])
    },
    Idiom("domain values") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        let request = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.pages, ascending: false)]
        request.fetchLimit = 1
        try check(context.fetch(request).compactMap { $0.toDomain() } == [BookValue(title: "Book 12", pages: 120)])
    },
    Idiom("decoding JSON into a context") {
        let context = try Library.container().viewContext
        let decoder = JSONDecoder()
        decoder.userInfo[.managedObjectContext] = context
        let json = #"[{"title": "A", "pages": 3}, {"title": "B", "pages": 4}]"#
        let decoded = try decoder.decode([BookDTO].self, from: Data(json.utf8))
        try context.save()
        try check(decoded.count == 2 && context.count(for: Book.fetchRequest()) == 2)
    },
    Idiom("an object by the URI of its identifier") {
        let container = try Library.container()
        let books = try Library.fill(container.viewContext)
        let text = books[3].objectID.uriRepresentation().absoluteString
        let context = container.newBackgroundContext()
        let title = try context.performAndWait { () -> String? in
            guard let url = URL(string: text),
                let id = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url)
            else { return nil }
            return try (context.existingObject(with: id) as? Book)?.title
        }
        try check(title == "Book 4")
    },
]

/// `#keyPath` needs Objective-C; its text doesn't.
private func keyPathLike(_ text: String) -> String { text }
