import Foundation
import OpenCoreData
import OpenCoreDataKit

extension GoodsChange {
    /// Makes the change with the kit's verbs.
    func apply(in context: Context) throws {
        switch self {
        case .put(let row): try row.put(in: context)
        case .score(let code, let score): try context.object(Item.self, key: code)?.score = score
        case .remove(let code):
            let found = try context.delete(Query(Item.self).filter(NSPredicate(format: "code == %d", code)))
            if found > 1 { throw KitCampaign.failure("A key is there more than once", "\(code)") }
        case .clear(let score):
            for item in try context.all(Query(Item.self).filter(NSPredicate(format: "score == %d", score))) {
                context.delete(item)
            }
        case .mark(let city, let score):
            let condition = city.map { NSPredicate(format: "city == %@", $0) } ?? NSPredicate(format: "city == nil")
            try context.update(Query(Item.self).filter(condition)) { $0.score = score }
        case .removeShelf(let name):
            if let shelf = try context.object(Shelf.self, key: name) { context.delete(shelf) }
        case .note(let code, let text):
            if let text {
                try context.findOrCreate(Note.self, key: code).text = text
            } else if let note = try context.object(Note.self, key: code) {
                context.delete(note)
            }
        }
    }
}

extension GoodsRow {
    /// Makes the item, or changes the one that is there.
    func put(in context: Context) throws {
        let item = try context.findOrCreate(Item.self, key: code)
        try fill(item, in: context)
    }

    func fill(_ item: Item, in context: Context) throws {
        item.title = title
        item.score = score
        item.city = city
        item.shelf = try shelf.map { try context.findOrCreate(Shelf.self, key: $0) }
    }
}

extension Goods {
    /// What a context finds with fetches of the engine alone.
    static func read(_ context: NSManagedObjectContext) throws -> Goods {
        var goods = Goods()
        for item in try context.fetch(NSFetchRequest<Item>(entityName: "Item")) {
            if goods.items.updateValue(item.row, forKey: item.code) != nil {
                throw KitCampaign.failure("A fetch finds a key twice", "\(item.code)")
            }
        }
        let shelves = try context.fetch(NSFetchRequest<Shelf>(entityName: "Shelf")).map(\.name)
        if Set(shelves).count != shelves.count {
            throw KitCampaign.failure("A shelf is there twice", "\(shelves.sorted())")
        }
        for note in try context.fetch(NSFetchRequest<Note>(entityName: "Note")) { goods.notes[note.code] = note.text }
        return goods
    }

    /// - Throws: When something else is there than should be.
    func check(_ found: Goods, _ setting: String) throws {
        guard found.items != items || found.notes != notes else { return }
        let missing = rows.filter { found.items[$0.code] != $0 }
        let extra = found.rows.filter { items[$0.code] != $0 }
        throw KitCampaign.failure(
            "Something else is there than should be",
            "\(setting): missing \(missing); instead \(extra); "
                + "notes \(found.notes) for \(notes)")
    }
}
