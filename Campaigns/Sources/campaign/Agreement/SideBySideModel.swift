import Foundation
import OpenCoreData
import TestSupport

/// Boxes and items with relationships that both sides know of, for contexts that change the same graph, and a to-one
/// without inverse. Of a to-many without inverse nothing says which of two owners has lost a member.
enum SideBySideModel {
    /// To-manys from a box to items.
    static let toManys = ["items", "list", "tags", "ranked"]
    /// To-ones from an item to a box.
    static let toOnes = ["owner", "shelf", "covered", "friend"]

    /// - Parameter cascades: Whether items go with their boxes.
    static func make(cascades: Bool) -> NSManagedObjectModel {
        let (box, item) = (NSEntityDescription(), NSEntityDescription())
        box.name = "Box"
        item.name = "Item"
        let rule: NSDeleteRule = cascades ? .cascadeDeleteRule : .nullifyDeleteRule
        func items(_ name: String, ordered: Bool = false) -> NSRelationshipDescription {
            LibraryModel.relationship(name, to: item, toMany: true, ordered: ordered, rule: rule)
        }
        func boxes(_ name: String, toMany: Bool = false) -> NSRelationshipDescription {
            LibraryModel.relationship(name, to: box, toMany: toMany, rule: .nullifyDeleteRule)
        }
        let attributes = { ["key", "num"].map { LibraryModel.attribute($0, .integer64AttributeType, default: 0) } }
        box.properties =
            attributes() + [
                items("items"), items("list", ordered: true), items("tags"), items("ranked", ordered: true),
                LibraryModel.relationship("cover", to: item, rule: .nullifyDeleteRule),
            ]
        item.properties =
            attributes() + toOnes.map { boxes($0) } + [boxes("tagged", toMany: true), boxes("rankers", toMany: true)]
        for (name, inverse) in [
            ("items", "owner"), ("list", "shelf"), ("tags", "tagged"), ("ranked", "rankers"), ("cover", "covered"),
        ] {
            LibraryModel.pair(box, name, item, inverse)
        }
        let model = NSManagedObjectModel()
        model.entities = [box, item]
        return model
    }
}

extension NSManagedObject {
    /// By which an object is known in all stores.
    var graphKey: Int { value(forKey: "key") as? Int ?? -1 }

    /// The objects that a relationship leads to, in its order or by their keys.
    func destinations(_ relationship: NSRelationshipDescription) -> [NSManagedObject] {
        switch value(forKey: relationship.name) {
        case let list as NSOrderedSet: list.array.compactMap { $0 as? NSManagedObject }
        case let set as Set<NSManagedObject>: set.sorted { $0.graphKey < $1.graphKey }
        case let object as NSManagedObject: [object]
        default: []
        }
    }
}
