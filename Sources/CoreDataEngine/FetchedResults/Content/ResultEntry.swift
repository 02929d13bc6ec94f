import Foundation

/// One result of a controller and its position.
final class ResultEntry: TreeNode {
    /// The managed object, or the box of a dictionary.
    let object: AnyObject
    /// Decides between objects whose sort keys are equal: the index in the fetch, later ones after all others.
    let rank: Int
    /// What the object is sorted by, as it was when the position was found; read when first compared.
    var keys: SortKeys?
    // Unretained: the content that has the entry has the section too.
    unowned(unsafe) var section: ResultSection

    init(object: AnyObject, rank: Int, section: ResultSection) {
        self.object = object
        self.rank = rank
        self.section = section
    }
}

/// A dictionary result.
final class DictionaryResult {
    let value: Any

    init(_ value: Any) { self.value = value }
}

/// One section of a controller: results with the same section name.
final class ResultSection: TreeNode, NSFetchedResultsSectionInfo {
    let name: String
    /// The results in order.
    var entries = OrderedTree<ResultEntry>()
    private weak var controller: FetchedResultsCore?

    init(name: String, controller: FetchedResultsCore?) {
        self.name = name
        self.controller = controller
    }

    /// An empty section as another one was.
    convenience init(name: String, like other: ResultSection) {
        self.init(name: name, controller: other.controller)
    }

    var indexTitle: String? { controller?.indexTitle(forSectionName: name) }
    var numberOfObjects: Int { entries.count }
    var objects: [Any]? {
        entries.map { entry in controller?.presented(entry.object) ?? entry.object }
    }
}

/// Sections are equal if they are the same one, in Foundation's collections too.
extension ResultSection: Hashable {
    static func == (left: ResultSection, right: ResultSection) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A section and a row.
struct ResultPath: Hashable, Comparable {
    var section: Int
    var row: Int

    var indexPath: IndexPath { IndexPath(indexes: [section, row]) }

    static func < (left: ResultPath, right: ResultPath) -> Bool {
        (left.section, left.row) < (right.section, right.row)
    }
}
