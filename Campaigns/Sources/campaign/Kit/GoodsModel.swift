import Foundation
import OpenCoreData
import OpenCoreDataKit
import TestSupport

/// The model of the kit's campaign: items with a number, the shelves they stand on, and notes in a store of their own.
enum GoodsModel {
    static let goods = "Goods"
    static let notes = "Notes"

    static func make() -> NSManagedObjectModel {
        let (item, shelf, note) = (entity("Item", Item.self), entity("Shelf", Shelf.self), entity("Note", Note.self))
        item.properties = [
            LibraryModel.attribute("code", .integer64AttributeType, default: 0),
            LibraryModel.attribute("title", .stringAttributeType, optional: false),
            LibraryModel.attribute("score", .integer64AttributeType, default: 0),
            LibraryModel.attribute("city", .stringAttributeType),
            LibraryModel.relationship("shelf", to: shelf, rule: .nullifyDeleteRule),
        ]
        item.uniquenessConstraints = [["code"]]
        shelf.properties = [
            LibraryModel.attribute("name", .stringAttributeType, optional: false, default: ""),
            LibraryModel.relationship("items", to: item, toMany: true, rule: .nullifyDeleteRule),
        ]
        note.properties = [
            LibraryModel.attribute("code", .integer64AttributeType, default: 0),
            LibraryModel.attribute("text", .stringAttributeType),
        ]
        LibraryModel.pair(item, "shelf", shelf, "items")
        let model = NSManagedObjectModel()
        model.entities = [item, shelf, note]
        model.setEntities([item, shelf], forConfigurationName: goods)
        model.setEntities([note], forConfigurationName: notes)
        return model
    }

    private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = NSStringFromClass(type)
        return entity
    }
}

final class Item: NSManagedObject, Keyed {
    static let codeProperty = ManagedProperty<Int64>("code")
    static let titleProperty = ManagedProperty<String?>("title")
    static let scoreProperty = ManagedProperty<Int64>("score")
    static let cityProperty = ManagedProperty<String?>("city")
    static let shelfProperty = ManagedProperty<Shelf?>("shelf")
    typealias Key = Int64
    static var keyAttribute: String { "code" }

    var code: Int64 {
        get { self[Item.codeProperty] }
        set { self[Item.codeProperty] = newValue }
    }

    var title: String? {
        get { self[Item.titleProperty] }
        set { self[Item.titleProperty] = newValue }
    }

    var score: Int64 {
        get { self[Item.scoreProperty] }
        set { self[Item.scoreProperty] = newValue }
    }

    var city: String? {
        get { self[Item.cityProperty] }
        set { self[Item.cityProperty] = newValue }
    }

    var shelf: Shelf? {
        get { self[Item.shelfProperty] }
        set { self[Item.shelfProperty] = newValue }
    }

    /// What the item holds.
    var row: GoodsRow { GoodsRow(code: code, title: title, score: score, city: city, shelf: shelf?.name) }
}

final class Shelf: NSManagedObject, Keyed {
    static let nameProperty = ManagedProperty<String>("name")
    static let itemsProperty = ManagedProperty<Set<Item>>("items")
    typealias Key = String
    static var keyAttribute: String { "name" }

    var name: String {
        get { self[Shelf.nameProperty] }
        set { self[Shelf.nameProperty] = newValue }
    }

    var items: Set<Item> {
        get { self[Shelf.itemsProperty] }
        set { self[Shelf.itemsProperty] = newValue }
    }
}

final class Note: NSManagedObject, Keyed {
    static let codeProperty = ManagedProperty<Int64>("code")
    static let textProperty = ManagedProperty<String?>("text")
    typealias Key = Int64
    static var keyAttribute: String { "code" }

    var code: Int64 {
        get { self[Note.codeProperty] }
        set { self[Note.codeProperty] = newValue }
    }

    var text: String? {
        get { self[Note.textProperty] }
        set { self[Note.textProperty] = newValue }
    }
}
