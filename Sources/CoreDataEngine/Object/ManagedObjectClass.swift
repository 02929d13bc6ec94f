import Foundation
import Synchronization

/// Finds the class of an entity.
///
/// A name with a module ("Shop.Book") is looked up as it is. A name without one ("Book", ".Book") is looked for among the
/// classes that were used, then in the modules of those classes and of the program.
package enum ManagedObjectClass {
    /// A model in use, held weakly.
    private struct ModelInUse: Sendable {
        weak var model: NSManagedObjectModel?
    }

    private struct Known {
        var models: [ModelInUse] = []
        var noticed: Set<ObjectIdentifier> = []
        var byName: [String: NSManagedObject.Type] = [:]
        var modules: [String] = []
    }

    private static let known = Mutex(Known())
    /// Grows when a class becomes known, as entities may then have a class that was not found before.
    static let generation = Atomic<Int>(0)

    /// Remembers a class that the program used by name in its code.
    package static func noticed(_ type: NSManagedObject.Type) {
        known.withLock { known in
            guard known.noticed.insert(ObjectIdentifier(type)).inserted else { return }
            generation.add(1, ordering: .releasing)
            let name = String(reflecting: type)
            known.byName[name] = type
            let parts = name.split(separator: ".")
            if let last = parts.last, known.byName[String(last)] == nil { known.byName[String(last)] = type }
            if let module = parts.first.map(String.init), !known.modules.contains(module) {
                known.modules.append(module)
            }
        }
    }

    /// Remembers a model, so that classes can be asked for their entity.
    static func use(_ model: NSManagedObjectModel) {
        known.withLock { known in
            known.models.removeAll { $0.model == nil || $0.model === model }
            known.models.append(ModelInUse(model: model))
        }
    }

    /// The entity with a class in the model that came into use last and has one.
    static func entity(of type: NSManagedObject.Type) -> NSEntityDescription? {
        noticed(type)
        let models = known.withLock { known in known.models.compactMap(\.model) }
        for model in models.reversed() {
            if let entity = model.entitiesInStoreOrder.first(where: { named($0.managedObjectClassName) == type }) {
                return entity
            }
        }
        return models.reversed().lazy.compactMap { $0.entitiesByName[String(describing: type)] }.first
    }

    /// The class with a name, or `NSManagedObject` when the program has none.
    static func named(_ className: String?) -> NSManagedObject.Type {
        guard var name = className, !name.isEmpty, name != "NSManagedObject" else { return NSManagedObject.self }
        if name.hasPrefix(".") { name.removeFirst() }
        if let type = known.withLock({ $0.byName[name] }) { return type }
        if name.contains("."), let type = NSClassFromString(name) as? NSManagedObject.Type { return type }
        let last = name.split(separator: ".").last.map(String.init) ?? name
        for module in known.withLock({ $0.modules }) + [ProcessInfo.processInfo.processName] {
            if let type = NSClassFromString("\(module).\(last)") as? NSManagedObject.Type { return type }
        }
        return known.withLock { $0.byName[last] } ?? NSManagedObject.self
    }
}
