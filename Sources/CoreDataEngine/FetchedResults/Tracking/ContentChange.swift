import Foundation

/// What a pass did to a controller's results, in the terms of its delegate.
///
/// As for a table view's batch: old positions are those before anything happened, new ones those after everything has.
/// What is not named here keeps its order.
struct ContentChange {
    /// A result that went, came, or stayed.
    struct Item {
        let object: AnyObject
        var old: ResultPath?
        var new: ResultPath?
    }

    struct Section {
        let info: any NSFetchedResultsSectionInfo
        let index: Int
    }

    var deletedSections: [Section] = []
    var insertedSections: [Section] = []
    var deletes: [Item] = []
    var inserts: [Item] = []
    var updates: [Item] = []
    var moves: [Item] = []

    var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && deletes.isEmpty && inserts.isEmpty && updates.isEmpty
            && moves.isEmpty
    }

    /// Puts everything into the order in which it is reported: what goes from the end, what comes from the beginning.
    mutating func sort() {
        deletedSections.sort { $0.index > $1.index }
        insertedSections.sort { $0.index < $1.index }
        let none = ResultPath(section: 0, row: 0)
        deletes.sort { $0.old ?? none > $1.old ?? none }
        inserts.sort { $0.new ?? none < $1.new ?? none }
        updates.sort { $0.new ?? none < $1.new ?? none }
        moves.sort { $0.new ?? none < $1.new ?? none }
    }
}
