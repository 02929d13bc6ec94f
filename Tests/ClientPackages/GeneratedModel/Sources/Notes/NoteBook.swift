import CoreData
import Foundation

/// What a program sees of the notes, whose classes are the module's own.
public enum NoteBook {
    /// Writes notes, reads them again, and says what it found.
    public static func tour(at file: URL) throws -> String {
        guard let url = Bundle.module.url(forResource: "Notes", withExtension: "xcdatamodel"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { throw CocoaError(.fileReadNoSuchFile) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            let page = Note(context: context)
            page.text = "page"
            let label = Label(context: context)
            label.name = "red"
            page.addToLabels([label])
            for index in 0..<3 {
                let line = Note(context: context)
                line.text = "line \(index)"
                page.insertIntoLines(line, at: 0)
            }
            try context.save()
            context.reset()
            let request = Note.fetchRequest()
            request.predicate = NSPredicate(format: "text == 'page'")
            guard let found = try context.fetch(request).first else { return "no page" }
            let labels = found.labels.compactMap(\.name).joined(separator: ", ")
            return "\(found.text): \(labels): \(found.lines.map(\.text).joined(separator: ", "))"
        }
    }
}
