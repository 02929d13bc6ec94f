import CoreData
import Foundation

enum Shelf {
    final class Book: NSManagedObject {
        static let title = ManagedProperty<String?>("title")
        var title: String? { self[Self.title] }
    }
}

/// Functions that Foundation has too, and what only Apple's Foundation has.
enum Functions {
    static func check() {
        let name = NSStringFromClass(Shelf.Book.self)
        guard NSClassFromString(name) == Shelf.Book.self, name == "ClashingNames.Shelf.Book" else {
            fatalError("a nested class has the name \(name)")
        }
        let named: (AnyClass) -> String = NSStringFromClass
        guard [Shelf.Book.self].map(named) == [name] else { fatalError("a function lost its name") }
        guard autoreleasepool(invoking: { (\Shelf.Book.title)._kvcKeyPathString }) == "title" else {
            fatalError("a key path has no name")
        }
        var undo: UndoManager? = UndoManager()
        undo?.removeAllActions()
        undo = nil
        _ = ValueTransformer(forName: .secureUnarchiveFromDataTransformerName)
    }

    @MainActor static func wait() async {
        let center = NotificationCenter.default
        let name = Notification.Name("ClashingNames")
        let task = Task {
            for await notification in center.notifications(named: name) where notification.object == nil { return true }
            return false
        }
        let poster = Task {
            while !Task.isCancelled {
                center.post(name: name, object: nil)
                await Task.yield()
            }
        }
        guard await task.value else { fatalError("a notification was lost") }
        poster.cancel()
    }
}
