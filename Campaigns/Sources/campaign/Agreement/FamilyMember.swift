import Foundation
import OpenCoreData

/// A context of a family: what it shows, and whether it has to be what is below it. It belongs to one thread.
final class FamilyMember {
    let name: String
    let side: GraphSide
    let parent: FamilyMember?
    /// Counts the changes of what the context shows.
    var version = 0
    /// The version of the parent, or of the store, that the context was last brought up to.
    var seen = 0

    var context: NSManagedObjectContext { side.context }

    init(_ name: String, _ side: GraphSide, parent: FamilyMember? = nil) {
        self.name = name
        self.side = side
        self.parent = parent
    }

    func graph() throws -> String {
        process()
        return try context.performAndWait { try side.graph(showsMissing: false) }
    }

    /// Follows the delete rules, here and above.
    func process() {
        parent?.process()
        context.performAndWait { context.processPendingChanges() }
    }

    var hasChanges: Bool { context.performAndWait { context.hasChanges } }
}
