import Foundation
import OpenCoreData
import TestSupport

@testable import StoreTools

/// A store of the library, made with the public API, and what tests write into.
enum LibraryStore {
    static func make(
        in folder: TemporaryFolder, name: String = "Library.sqlite",
        filling: (NSManagedObjectContext) throws -> Void = fill
    ) throws -> URL {
        let url = folder.file(name)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            try filling(context)
            try context.save()
        }
        try coordinator.remove(store)
        return url
    }

    static func insert(
        _ entity: String, _ values: [String: Any], into context: NSManagedObjectContext
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    static func fill(_ context: NSManagedObjectContext) {
        let ursula = insert(
            "Author", ["name": "Ursula", "born": Date(timeIntervalSince1970: -1_266_537_600)], into: context)
        let first = insert(
            "Book",
            [
                "title": "The \"Dispossessed\"", "pages": 341, "price": 9.5, "cost": Decimal(string: "1.25") ?? 0,
                "inPrint": false, "cover": Data([0, 1, 255]), "author": ursula,
                "identifier": UUID(uuidString: "6A1E3B1C-94A5-4F86-9E0E-6B1E2F1A9C77") ?? UUID(),
                "home": URL(string: "https://example.org/ä") as Any, "extra": ["a": [1, 2]] as NSDictionary,
            ], into: context)
        let second = insert("GraphicNovel", ["title": "Watchmen", "isColored": true], into: context)
        let tag = insert("Label", ["name": "classic"], into: context)
        tag.setValue(Set([first, second]), forKey: "books")
        let shelf = insert("Shelf", ["label": "A"], into: context)
        shelf.setValue(NSOrderedSet(array: [second, first]), forKey: "books")
    }
}

/// Keeps what is written.
final class TextCollector: TextOutput {
    private(set) var text = ""

    func write(_ text: String) { self.text += text }

    func write(_ bytes: [UInt8]) { text += String(decoding: bytes, as: UTF8.self) }

    func write(lines text: String, end: String) { self.text += text + end }
}
