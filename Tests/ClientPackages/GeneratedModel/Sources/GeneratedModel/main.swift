import Foundation
import Library
import Notes
import OpenCoreData
import Schemas

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("GeneratedModel-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let file = folder.appendingPathComponent("Library.sqlite")

func check(_ holds: Bool, _ what: String, line: UInt = #line) {
    guard holds else { fatalError("\(what) (line \(line))") }
}

func write() throws -> UUID {
    let context = try libraryContainer(at: file).viewContext
    let author = Author(context: context)
    check(author.name == "anonymous", "a primitive accessor in awakeFromInsert")
    author.name = "Ann"
    author.name? += " B."
    author.born = Date(timeIntervalSinceReferenceDate: 1000)
    author.praise()
    let novel = Novel(context: context)
    let id = UUID()
    novel.id = id
    novel.title = "A \"novel\""
    check(novel.genre == "novel" && novel.isFree && novel.weight == 1.5 && novel.copies == 2, "default values")
    novel.pages = 321
    novel.rating = 4.5
    novel.price = NSDecimalNumber(string: "12.50")
    novel.stamp = 77
    novel.default = true
    novel.tags = ["a", "b"]
    novel.cover = Data([1, 2, 3])
    novel.link = URL(string: "https://example.org/a")
    novel.place = ["room": "west", "row": 3]
    novel.plot = "none"
    author.addToBooks(novel)
    let chapters = (1...3).map { number in
        let chapter = Chapter(context: context)
        chapter.number = Int32(number)
        return chapter
    }
    novel.addToChapters(NSOrderedSet(array: [chapters[1], chapters[2]]))
    novel.insertIntoChapters(chapters[0], at: 0)
    Map(context: context).scale = 25_000
    try context.save()
    return id
}

func read(_ id: UUID) throws {
    let container = try libraryContainer(at: file)
    let context = container.viewContext
    let books = try context.fetch(Book.fetchRequest())
    check(books.count == 1, "one book")
    guard let book = books[0] as? Novel else { fatalError("the book is of the class Novel") }
    check(book.id == id, "Identifiable has the model's id")
    check(book.title == "A \"novel\"" && book.pages == 321 && book.plot == "none", "texts and numbers")
    check(book.rating == 4.5 && book.price == NSDecimalNumber(string: "12.50") && book.copies == 2, "NSNumber")
    check(book.stamp == 77 && book.default && book.tags == ["a", "b"], "scalars and transformables")
    check(book.cover == Data([1, 2, 3]) && book.link?.host == "example.org", "data and addresses")
    check(book.place?["room"] as? String == "west" && book.place?["row"] as? Int == 3, "composites")
    check((book.chapters?.array as? [Chapter])?.map(\.number) == [1, 2, 3], "an ordered relationship")
    check((book.chapters?.firstObject as? Chapter)?.title == "A \"novel\" 1", "a category's own class")

    guard let author = book.author else { fatalError("the book has an author") }
    check(author.name == "Ann B." && author.born == Date(timeIntervalSinceReferenceDate: 1000), "@NSManaged values")
    check(author.fame == 1, "@NSManaged private(set)")
    check(author.books?.count == 1 && author.longBooks?.first === book, "@NSManaged collections")
    author.removeFromBooks(NSSet(object: book))
    check(book.author == nil && author.books?.count == 0, "@NSManaged methods keep the inverse")

    guard let request = Book.fetchRequestForLongBooks(in: container.managedObjectModel, least: 300) else {
        fatalError("the model has the fetch request")
    }
    check(try context.fetch(request).count == 1, "a fetch request of the model")
    check(try context.fetch(Map.fetchRequest()).first?.scale == 25_000, "a class of an abstract entity")
    check(NSSortDescriptor(keyPath: \Author.born, ascending: true).key == "born", "key paths of @NSManaged")
    check(NSSortDescriptor(keyPath: \Book.rating, ascending: true).key == "rating", "key paths of generated code")
}

/// A model with another type than the classes have is opened. Using the property is an error, for generated and for @NSManaged
/// properties.
func refuse() throws {
    let model = try libraryContainer(at: file).managedObjectModel
    let properties: [(entity: String, name: String, type: String, use: (NSManagedObject) -> Void)] = [
        ("Novel", "pages", "Int16", { _ = ($0 as? Novel)?.pages }),
        ("Author", "name", "String?", { _ = ($0 as? Author)?.name }),
        ("Novel", "plot", "String?", { _ = ($0 as? Novel)?.plot }),
    ]
    for property in properties {
        guard let changed = model.copy() as? NSManagedObjectModel,
            let attribute = changed.entitiesByName[property.entity]?.attributesByName[property.name]
        else { fatalError("the model has \(property.entity).\(property.name)") }
        attribute.defaultValue = nil
        attribute.attributeType = .dateAttributeType
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: changed)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.performAndWait {
            property.use(NSEntityDescription.insertNewObject(forEntityName: property.entity, into: context))
            do {
                try context.save()
                fatalError("a save succeeds although \(property.name) is a date")
            } catch {
                let text = (error as? CocoaError)?.userInfo[NSLocalizedDescriptionKey] as? String ?? "\(error)"
                let expected = "'\(property.name)' of the class \(property.entity) has the type \(property.type), but"
                check(text.contains(expected), text)
            }
        }
    }
}

/// Of two models of one name, the one whose classes are in the program is found.
func findOwnModel() {
    let model = NSPersistentContainer(name: "Library").managedObjectModel
    check(model.entitiesByName["Novel"] != nil, "the model of the program's own classes")
    let merged = NSManagedObjectModel.mergedModel(from: nil)
    check(merged?.entitiesByName["Novel"] != nil && merged?.entitiesByName["Note"] != nil, "the program's own models")
    check(merged?.entitiesByName["ArchivedBook"] == nil, "no model of another target")
}

findOwnModel()
let id = try write()
try refuse()
try read(id)
let notes = try NoteBook.tour(at: folder.appendingPathComponent("Notes.sqlite"))
check(notes == "page: red: line 2, line 1, line 0", notes)
let compiled = Schemas.compiledModel()
check(compiled == "2 versions: 1, 2", compiled)
let sections = try Schemas.sections(at: folder.appendingPathComponent("Schemas.sqlite"))
check(sections == "B 1, A 2: Bea's", sections)
print("generated classes hold: \(notes)")
