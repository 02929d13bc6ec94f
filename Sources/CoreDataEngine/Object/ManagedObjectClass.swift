import Foundation
import Synchronization

/// Finds the class of an entity.
///
/// A name with a module ("Shop.Book") is looked up as it is. A name without one ("Book", ".Book"), or one whose module
/// doesn't have the class, is searched for among the classes that were used and those that the program and its
/// libraries declare. A result, also a negative one, is valid until another class is used or another image is loaded.
package enum ManagedObjectClass {
    private struct Choice: Hashable {
        let name: String
        let model: UInt32
    }

    private struct Known {
        /// The models in use.
        var models: [WeakHandle<NSManagedObjectModel>] = []
        var noticed: Set<ObjectIdentifier> = []
        /// Classes that were used, by their names with the module.
        var byName: [String: NSManagedObject.Type] = [:]
        /// Classes that were used, by their names without the module, in the order in which they were.
        var byLastName: [String: [NSManagedObject.Type]] = [:]
        var modules: [String] = []
        /// The classes that a name in a model may mean.
        var candidates: [String: [NSManagedObject.Type]] = [:]
        var choices: [Choice: NSManagedObject.Type] = [:]
        /// The sentences that are in the log already.
        var logged: Set<String> = []

        mutating func forgetAnswers() {
            candidates = [:]
            choices = [:]
        }
    }

    private static let known = Mutex(Known())
    /// Grows when a class becomes known, or an image, as entities may then have a class that was not found before.
    static let generation = Atomic<Int>(0)
    private static let imageCount = Atomic<Int>(0)

    /// Remembers a class that the program used by name in its code.
    package static func noticed(_ type: NSManagedObject.Type) {
        known.withLock { known in
            guard known.noticed.insert(ObjectIdentifier(type)).inserted else { return }
            let name = String(reflecting: type)
            known.byName[name] = type
            let parts = name.split(separator: ".")
            if let last = parts.last { known.byLastName[String(last), default: []].append(type) }
            if let module = parts.first.map(String.init), !known.modules.contains(module) {
                known.modules.append(module)
            }
            known.forgetAnswers()
            generation.add(1, ordering: .releasing)
        }
    }

    /// Looks whether images were loaded, whose classes answers so far don't have.
    static func noticeImages() {
        let count = DeclaredClasses.imageCount
        guard imageCount.load(ordering: .relaxed) != count else { return }
        known.withLock { known in
            guard imageCount.exchange(count, ordering: .relaxed) != count else { return }
            known.forgetAnswers()
            generation.add(1, ordering: .releasing)
        }
    }

    /// Remembers a model, so that classes can be asked for their entity.
    static func use(_ model: NSManagedObjectModel) {
        let handle = model.weakHandle
        known.withLock { known in
            known.models.removeAll { $0.isCleared || $0 === handle }
            known.models.append(handle)
        }
    }

    /// The entity with a class in the model that came into use last and has one, a model with an open store before
    /// others; `nil` for `NSManagedObject`, which represents none in particular.
    static func entity(of type: NSManagedObject.Type) -> NSEntityDescription? {
        if type == NSManagedObject.self { return nil }
        noticed(type)
        let models = known.withLock { known in known.models }.compactMap(\.object)
        let ofClass = preferred(
            models.reversed().lazy.compactMap { model in
                model.entitiesInStoreOrder.first { $0.layout.map(of) == type }
            })
        return ofClass ?? preferred(models.reversed().lazy.compactMap { $0.entitiesByName[String(describing: type)] })
    }

    /// The first entity whose model has an open store, or else the first one.
    private static func preferred(_ entities: some Sequence<NSEntityDescription>) -> NSEntityDescription? {
        var first: NSEntityDescription?
        for entity in entities {
            if let layout = entity.layout, layout.model.openStores.load(ordering: .relaxed) > 0 { return entity }
            if first == nil { first = entity }
        }
        return first
    }

    /// The class of an entity's objects, or `NSManagedObject` when the program has none of the name.
    static func of(_ layout: EntityLayout) -> NSManagedObject.Type {
        guard let name = name(of: layout) else { return NSManagedObject.self }
        let candidates = candidates(name)
        return candidates.count > 1
            ? choice(of: candidates, name, layout.model) : candidates.first ?? NSManagedObject.self
    }

    /// The same for objects that are about to be made; logs a class that isn't there.
    static func forObjects(of layout: EntityLayout) -> NSManagedObject.Type {
        let type = of(layout)
        if type == NSManagedObject.self, let name = name(of: layout) {
            logOnce(
                "The class '\(name)', which the model names for the entity \(layout.name), is not in the program: its "
                    + "objects are NSManagedObjects.")
        }
        return type
    }

    /// Whether an entity names a class of its own.
    static func isNamed(by layout: EntityLayout) -> Bool { name(of: layout) != nil }

    /// Notes that a class was asked for an entity and has none.
    static func recordMissingEntity(of type: NSManagedObject.Type) {
        logOnce("No entity of a model in use has the class \(type): its entity() is one without a name.")
    }

    private static func name(of layout: EntityLayout) -> String? { name(of: layout.entity) }

    /// The name of the class that an entity has of its own.
    static func name(of entity: NSEntityDescription) -> String? {
        guard var name = entity.managedObjectClassName, !name.isEmpty, name != "NSManagedObject" else {
            return nil
        }
        if name.hasPrefix(".") { name.removeFirst() }
        return name
    }

    /// Logs a sentence, once.
    static func logOnce(_ sentence: String) {
        if known.withLock({ $0.logged.insert(sentence).inserted }) { DiagnosticLog.warn("OpenCoreData", sentence) }
    }

    // MARK: Searching

    /// The classes that a name in a model may mean.
    private static func candidates(_ name: String) -> [NSManagedObject.Type] {
        let generation = generation.load(ordering: .acquiring)
        if let answer = known.withLock({ $0.candidates[name] }) { return answer }
        let found = search(name)
        known.withLock { known in
            if generation == Self.generation.load(ordering: .relaxed) { known.candidates[name] = found }
        }
        return found
    }

    private static func search(_ name: String) -> [NSManagedObject.Type] {
        let parts = name.split(separator: ".").map(String.init)
        let last = parts.last ?? name
        let declared = DeclaredClasses.named(last)
        if parts.count > 1 {
            if let type = known.withLock({ $0.byName[name] }) { return [type] }
            if let type = NSClassFromString(name) as? NSManagedObject.Type { return [type] }
            let ofModule = declared.filter { $0.module == parts[0] }
            if let type = ofModule.lazy.compactMap(\.managedObjectClass).first { return [type] }
        }
        let (used, modules) = known.withLock { ($0.byLastName[last] ?? [], $0.modules) }
        var found = used
        func add(_ type: NSManagedObject.Type?) {
            if let type, !found.contains(where: { $0 == type }) { found.append(type) }
        }
        for declaration in declared where declaration.isTopLevel { add(declaration.managedObjectClass) }
        if found.isEmpty { for declaration in declared { add(declaration.managedObjectClass) } }
        if DeclaredClasses.imageCount == 0 {
            for module in modules + [ProcessInfo.processInfo.processName] {
                add(NSClassFromString("\(module).\(last)") as? NSManagedObject.Type)
            }
        }
        return found
    }

    /// Of several classes with a name, that of the module which has most of the model's other classes; else the one
    /// that was used first, or the program's own.
    private static func choice(
        of candidates: [NSManagedObject.Type], _ name: String, _ model: ModelLayout
    ) -> NSManagedObject.Type {
        let key = Choice(name: name, model: model.identifier)
        if let known = known.withLock({ $0.choices[key] }) { return known }
        let generation = generation.load(ordering: .acquiring)
        var classes: [String: Int] = [:]
        for other in Set(model.entities.compactMap(self.name(of:))) where other != name {
            for module in Set(self.candidates(other).map(module(of:))) { classes[module, default: 0] += 1 }
        }
        let program = ProcessInfo.processInfo.processName
        let isUsed = known.withLock { known in candidates.map { known.noticed.contains(ObjectIdentifier($0)) } }
        let ranks = candidates.indices.map { index in
            let module = module(of: candidates[index])
            return (classes[module] ?? 0, isUsed[index] ? 2 : module == program ? 1 : 0)
        }
        // The first of those that rank highest.
        let best = candidates.indices.max { ranks[$0] < ranks[$1] || ranks[$0] == ranks[$1] && $0 > $1 } ?? 0
        let others = candidates.indices.filter { $0 != best }.map { String(reflecting: candidates[$0]) }
        logOnce(
            "The class '\(name)' that a model names may be \(String(reflecting: candidates[best])) or "
                + "\(others.joined(separator: " or ")). Objects are made of the first: its module has "
                + "\(ranks[best].0) of the model's other classes. A model may name the module, too.")
        known.withLock { known in
            if generation == Self.generation.load(ordering: .relaxed) { known.choices[key] = candidates[best] }
        }
        return candidates[best]
    }

    /// The modules of the classes that a name in a model may mean.
    static func modules(declaring name: String) -> [String] { candidates(name).map(module(of:)) }

    private static func module(of type: NSManagedObject.Type) -> String {
        String(reflecting: type).split(separator: ".").first.map(String.init) ?? ""
    }
}
