/// Decides what is made for each entity of a model.
package struct ModelPlanner {
    let document: ModelDocument
    let settings: GenerationSettings
    private(set) var diagnostics: [Diagnostic] = []
    private let entities: [String: ModelEntity]

    /// Plans the code of a model.
    package static func plan(_ document: ModelDocument, _ settings: GenerationSettings) -> Diagnosed<ModelPlan> {
        var planner = ModelPlanner(document, settings)
        let plan = planner.plan()
        return Diagnosed(plan, planner.diagnostics)
    }

    private init(_ document: ModelDocument, _ settings: GenerationSettings) {
        self.document = document
        self.settings = settings
        entities = Dictionary(document.entities.map { ($0.name, $0) }) { first, _ in first }
    }

    private mutating func plan() -> ModelPlan {
        var plan = ModelPlan(source: document.file)
        var owners: [String: String] = [:]
        var names: Set<String> = []
        for entity in document.entities {
            guard names.insert(entity.name).inserted else {
                complain(entity.line, "the entity '\(entity.name)' appears twice")
                continue
            }
            checkAncestors(of: entity)
            guard mode(of: entity) != .manual, let name = validClassName(of: entity) else { continue }
            if let other = owners.updateValue(entity.name, forKey: name) {
                complain(
                    entity.line,
                    "the entities '\(other)' and '\(entity.name)' have the same class, '\(name)'; "
                        + "set one of them to Manual/None")
                continue
            }
            plan.classes.append(classPlan(entity, name))
        }
        return plan
    }

    mutating func complain(_ line: Int, _ message: String, _ severity: Diagnostic.Severity = .error) {
        diagnostics.append(Diagnostic(severity, file: document.file, line: line, message))
    }

    // MARK: Classes

    private func mode(of entity: ModelEntity) -> CodeGenerationType { settings.mode ?? entity.codeGeneration }

    /// The module that an entity's class is said to be in; `nil` for the one that is compiled.
    private func foreignModule(of entity: ModelEntity) -> String? {
        guard let name = entity.className, let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let module = String(name[..<dot])
        return module == settings.moduleName || settings.moduleName == nil ? nil : module
    }

    /// The name of an entity's class without its module; `nil` for `NSManagedObject`.
    private func className(of entity: ModelEntity) -> String? {
        guard let name = entity.className?.split(separator: ".").last.map(String.init), name != "NSManagedObject" else {
            return nil
        }
        return name
    }

    private mutating func validClassName(of entity: ModelEntity) -> String? {
        guard let name = className(of: entity) else {
            complain(
                entity.line,
                "the entity '\(entity.name)' has no class of its own, so nothing is generated for it", .warning)
            return nil
        }
        if let module = foreignModule(of: entity) {
            complain(
                entity.line,
                "the class of the entity '\(entity.name)' is in the module '\(module)', so nothing is generated for it here",
                .warning)
            return nil
        }
        guard SwiftIdentifier.isValid(name) else {
            complain(
                entity.line, "the class '\(name)' of the entity '\(entity.name)' has a name that isn't valid in Swift")
            return nil
        }
        return name
    }

    /// The type of an entity's objects.
    func type(ofEntity name: String?) -> SwiftType {
        guard let entity = name.flatMap({ entities[$0] }), let name = className(of: entity),
            SwiftIdentifier.isValid(name)
        else { return .named("NSManagedObject") }
        guard let module = foreignModule(of: entity) else { return .named([name], []) }
        return .named(module.split(separator: ".").map(String.init) + [name], [])
    }

    private mutating func checkAncestors(of entity: ModelEntity) {
        guard let parent = entity.parentName else { return }
        guard entities[parent] != nil else {
            complain(entity.line, "the parent of the entity '\(entity.name)', '\(parent)', is not in the model")
            return
        }
        var seen: Set<String> = [entity.name]
        var current = entities[parent]
        while let ancestor = current {
            guard seen.insert(ancestor.name).inserted else {
                complain(entity.line, "the entity '\(entity.name)' is among its own ancestors")
                return
            }
            current = ancestor.parentName.flatMap { entities[$0] }
        }
    }

    /// The nearest ancestors, the parent first. Ends where they go in a circle.
    private func ancestors(of entity: ModelEntity) -> [ModelEntity] {
        var result: [ModelEntity] = []
        var seen: Set<String> = [entity.name]
        var current = entity.parentName.flatMap { entities[$0] }
        while let ancestor = current, seen.insert(ancestor.name).inserted {
            result.append(ancestor)
            current = ancestor.parentName.flatMap { entities[$0] }
        }
        return result
    }

    private mutating func classPlan(_ entity: ModelEntity, _ name: String) -> ClassPlan {
        let ancestors = ancestors(of: entity)
        let parent = ancestors.first { className(of: $0) != nil }
        var plan = ClassPlan(
            entityName: entity.name, className: name, superclassName: type(ofEntity: parent?.name).source,
            makesClass: mode(of: entity) == .class)
        var names: Set<String> = []
        for attribute in entity.attributes where isUsable(attribute.name, attribute.line, entity, &names) {
            if let property = property(attribute, plan) { plan.properties.append(property) }
        }
        for relationship in entity.relationships where isUsable(relationship.name, relationship.line, entity, &names) {
            plan.properties.append(property(relationship, plan, entity))
            if relationship.isToMany { plan.toManys.append(toMany(relationship)) }
        }
        for fetched in entity.fetchedProperties where isUsable(fetched.name, fetched.line, entity, &names) {
            plan.properties.append(property(fetched, plan))
        }
        plan.properties.sort { $0.name < $1.name }
        plan.toManys.sort { $0.name < $1.name }
        if settings.makesTemplateFunctions { plan.templates = templates(for: entity) }
        // A class inherits the conformance from the class of an ancestor.
        plan.isIdentifiable = parent == nil && canIdentify(plan)
        return plan
    }

    /// Whether an `id`, if there is one, can be that of `Identifiable`.
    private func canIdentify(_ plan: ClassPlan) -> Bool {
        guard let id = plan.properties.first(where: { $0.name == "id" })?.type.unwrapped else { return true }
        guard let name = id.simpleName else { return false }
        return SymbolTypes.hashableNames.contains(name) || name.hasPrefix("NS")
    }

    private mutating func isUsable(_ name: String, _ line: Int, _ entity: ModelEntity, _ names: inout Set<String>)
        -> Bool
    {
        guard SwiftIdentifier.isValid(name) else {
            complain(line, "the property '\(name)' of the entity '\(entity.name)' has a name that isn't valid in Swift")
            return false
        }
        guard !ReservedNames.properties.contains(name) else {
            complain(
                line,
                "the property '\(name)' of the entity '\(entity.name)' has the name of a member of NSManagedObject; "
                    + "rename it, with the old name as the renaming identifier")
            return false
        }
        guard names.insert(name).inserted else {
            complain(line, "the entity '\(entity.name)' has two properties called '\(name)'")
            return false
        }
        return true
    }
}
