/// Writes the classes of a plan as Swift source.
package struct ModelRenderer: Sendable {
    /// What is rendered.
    package let plan: ModelPlan
    let settings: GenerationSettings

    package init(_ plan: ModelPlan, _ settings: GenerationSettings) {
        self.plan = plan
        self.settings = settings
    }

    /// The files that Xcode makes: `Book+CoreDataClass.swift` and `Book+CoreDataProperties.swift` for each class.
    package func files() -> [GeneratedFile] {
        plan.classes.flatMap { plan in
            var files: [GeneratedFile] = []
            if plan.makesClass {
                // The superclass is the only type that the file shows.
                let showsImport = plan.superclassName == "NSManagedObject"
                files.append(
                    file("\(plan.className)+CoreDataClass.swift", showsImport: showsImport) { text in
                        renderClass(plan, in: &text)
                    } apple: { text in
                        renderAppleClass(plan, in: &text)
                    })
            }
            files.append(
                file("\(plan.className)+CoreDataProperties.swift") { text in
                    renderProperties(plan, in: &text)
                } apple: { text in
                    renderAppleProperties(plan, in: &text)
                })
            return files
        }
    }

    /// Everything in one file.
    package func singleFile(named name: String) -> GeneratedFile {
        guard !plan.classes.isEmpty else {
            return GeneratedFile(name: name, content: "// \(name)\n// The model asks for no code.\n")
        }
        return file(name) { text in
            for (index, plan) in plan.classes.enumerated() {
                if index > 0 { text.blank() }
                if plan.makesClass {
                    renderClass(plan, in: &text)
                    text.blank()
                }
                renderProperties(plan, in: &text)
            }
        } apple: { text in
            for (index, plan) in plan.classes.enumerated() {
                if index > 0 { text.blank() }
                if plan.makesClass {
                    renderAppleClass(plan, in: &text)
                    text.blank()
                }
                renderAppleProperties(plan, in: &text)
            }
        }
    }

    /// - Parameter showsImport: Whether a declaration that others see shows a type of the import.
    private func file(
        _ name: String, showsImport: Bool = true, _ content: (inout SourceText) -> Void,
        apple: (inout SourceText) -> Void
    ) -> GeneratedFile {
        var text = SourceText()
        text.line("// \(name)")
        text.line("// Made from \(SourceText.comment(plan.source)). It is regenerated, so don't change it.")
        text.blank()
        let importLine =
            "\(showsImport && settings.access != .internal ? settings.access.modifier : "")import \(settings.importedModule)"
        // Where Core Data is Apple's, Xcode makes the classes, unless it is not to.
        let isApplesElsewhere = settings.importedModule == "CoreData"
        if isApplesElsewhere, settings.apple == .managed {
            text.line("#if canImport(ObjectiveC)")
            text.line(importLine)
            text.blank()
            apple(&text)
            text.blank()
            text.line("#else")
        } else if isApplesElsewhere {
            text.line("#if !canImport(ObjectiveC)")
        }
        text.line(importLine)
        text.blank()
        content(&text)
        if isApplesElsewhere { text.line("#endif") }
        return GeneratedFile(name: name, content: text.text)
    }

    private func renderClass(_ plan: ClassPlan, in text: inout SourceText) {
        let name = SwiftIdentifier.escaped(plan.className)
        text.line("\(settings.access.modifier)class \(name): \(plan.superclassName) {}")
    }

    private func renderProperties(_ plan: ClassPlan, in text: inout SourceText) {
        let name = SwiftIdentifier.escaped(plan.className)
        text.block("extension \(name)") { text in
            renderFetchRequest(plan, in: &text)
            for property in plan.properties {
                text.blank()
                render(property, in: &text)
            }
            for template in plan.templates {
                text.blank()
                render(template, plan, in: &text)
            }
        }
        for toMany in plan.toManys {
            text.blank()
            text.line("// MARK: Accessors of \(toMany.name)")
            text.blank()
            text.block("extension \(name)") { text in
                var isFirst = true
                for method in ToManyMethod.methods(of: toMany) {
                    if !isFirst { text.blank() }
                    isFirst = false
                    text.block("\(settings.access.modifier)\(method.signature)") { $0.lines(method.body) }
                }
            }
        }
        if plan.isIdentifiable {
            text.blank()
            text.line("extension \(name): Identifiable {}")
        }
        renderSlots(plan, in: &text)
    }

    func renderFetchRequest(_ plan: ClassPlan, in text: inout SourceText) {
        let type = "NSFetchRequest<\(SwiftIdentifier.escaped(plan.className))>"
        text.block("@nonobjc \(settings.access.modifier)class func fetchRequest() -> \(type)") { text in
            text.line("\(type)(entityName: \(SourceText.literal(plan.entityName)))")
        }
    }

    private func render(_ property: PropertyPlan, in text: inout SourceText) {
        let head = "\(settings.access.modifier)var \(SwiftIdentifier.escaped(property.name)): \(property.type.source)"
        text.block(head) { text in
            guard let setter = property.body.setter else {
                text.lines(property.body.getter)
                return
            }
            if property.body.getter.count == 1, setter.count == 1 {
                text.line("get { \(property.body.getter[0]) }")
                text.line("set { \(setter[0]) }")
            } else {
                text.block("get") { $0.lines(property.body.getter) }
                text.block("set") { $0.lines(setter) }
            }
        }
    }

    func render(_ template: TemplatePlan, _ plan: ClassPlan, in text: inout SourceText) {
        let type = "NSFetchRequest<\(SwiftIdentifier.escaped(plan.className))>"
        let parameters = template.variables.map { "\(SwiftIdentifier.escaped($0)): Any" }
        let values = template.variables.map { "\(SourceText.literal($0)): \(SwiftIdentifier.escaped($0))" }
        let list = (["in model: NSManagedObjectModel"] + parameters).joined(separator: ", ")
        let head = "\(settings.access.modifier)class func \(template.functionName)(\(list)) -> \(type)?"
        text.line(
            "/// The model's fetch request \(SourceText.literal(template.name)); `nil` when `model` has none of the name."
        )
        text.block(head) { text in
            text.line("guard")
            text.line("    let template = model.fetchRequestFromTemplate(")
            text.line("        withName: \(SourceText.literal(template.name)),")
            text.line("        substitutionVariables: [\(values.isEmpty ? ":" : values.joined(separator: ", "))])")
            text.line("else { return nil }")
            text.line("let request = \(type)(entityName: \(SourceText.literal(plan.entityName)))")
            for name in Self.requestProperties { text.line("request.\(name) = template.\(name)") }
            text.line("return request")
        }
    }

    /// What a template can set.
    private static let requestProperties = [
        "predicate", "sortDescriptors", "fetchLimit", "fetchOffset", "fetchBatchSize", "includesSubentities",
        "includesPropertyValues", "includesPendingChanges", "returnsObjectsAsFaults", "returnsDistinctResults",
    ]

    private func renderSlots(_ plan: ClassPlan, in text: inout SourceText) {
        let slots = plan.properties.compactMap { property in
            property.body.slotType.map { (name: property.name, type: $0) }
        }
        guard !slots.isEmpty else { return }
        text.blank()
        SlotNames.render(slots, of: plan.className, list: .model, in: &text)
    }
}
