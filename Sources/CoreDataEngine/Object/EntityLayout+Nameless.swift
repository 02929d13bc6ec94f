import Foundation

extension EntityLayout {
    /// The layout of objects that were made without an entity: it has no properties, and belongs to no model.
    static let nameless: EntityLayout = {
        let entity = NSEntityDescription()
        let layout = EntityLayout(
            entity: entity, index: 0, identifier: .max - 1, parent: nil, model: ModelLayout.empty, keeping: entity)
        entity.setRuntime(EntityRuntime(model: ModelLayout.empty, layout: layout))
        return layout
    }()

    var isNameless: Bool { identifier == .max - 1 }
}
