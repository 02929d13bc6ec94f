import Foundation
import Synchronization

/// The layouts of all entities of a model, in the order of entity numbers.
// @unchecked Sendable because everything is set in the initializer and never changes, but for atomics.
package final class ModelLayout: @unchecked Sendable {
    package private(set) var entities: [EntityLayout] = []
    /// Whether there is a to-many without an inverse.
    private(set) var hasOneWayToManys = false
    private var indexByName: [String: Int] = [:]
    /// A process-wide number, never reused and never 0.
    let identifier = nextIdentifier.add(1, ordering: .relaxed).oldValue
    /// What `ManagedObjectClass.generation` was when classes were last compared with the model.
    let comparedGeneration = Atomic<Int>(-1)
    /// How many stores coordinators have open with the model.
    let openStores = Atomic<Int>(0)

    deinit {
        // Entities hold their superentities; these must not hold them for good.
        for entity in entities { entity.subentities = [] }
    }

    package subscript(name: String) -> EntityLayout? { indexByName[name].map { entities[$0] } }

    private static let nextIdentifier = Atomic<UInt32>(1)
    private static let making = Mutex<Void>(())

    /// The layout of a model. Made at the first call, which freezes the model.
    package static func layout(of model: NSManagedObjectModel) -> ModelLayout {
        making.withLock { _ in
            let entities = model.entitiesInStoreOrder
            if let runtime = entities.first?.runtime as? EntityRuntime { return runtime.model }
            model.freeze()
            let layout = ModelLayout(entities: entities)
            for (entity, entityLayout) in zip(entities, layout.entities) {
                entity.setRuntime(EntityRuntime(model: layout, layout: entityLayout))
            }
            ManagedObjectClass.use(model)
            return layout
        }
    }

    /// The layout of no model.
    static let empty = ModelLayout(entities: [])

    private init(entities descriptions: [NSEntityDescription]) {
        for (index, entity) in descriptions.enumerated() { indexByName[entity.name ?? ""] = index }
        for (index, entity) in descriptions.enumerated() {
            let parent = entity.superentity.flatMap { indexByName[$0.name ?? ""] }.map { entities[$0] }
            let identifier = Self.nextIdentifier.add(1, ordering: .relaxed).oldValue
            let layout = EntityLayout(
                entity: entity, index: index, identifier: identifier, parent: parent, model: self)
            layout.addOwnProperties(entityIndexByName: indexByName)
            entities.append(layout)
        }
        for layout in entities { layout.finish() }
        hasOneWayToManys = entities.contains { $0.relationships.contains { $0.isToMany && $0.inverse == nil } }
    }
}

/// What an entity description keeps for the engine once its model is in use.
final class EntityRuntime: Sendable {
    let model: ModelLayout
    let layout: EntityLayout

    init(model: ModelLayout, layout: EntityLayout) {
        self.model = model
        self.layout = layout
    }
}

extension NSEntityDescription {
    /// The engine's layout of the entity, or `nil` while the entity belongs to no model.
    package var layout: EntityLayout? {
        if let runtime { return unsafeDowncast(runtime, to: EntityRuntime.self).layout }
        guard let model = owner else { return nil }
        _ = ModelLayout.layout(of: model)
        return (runtime as? EntityRuntime)?.layout
    }
}
