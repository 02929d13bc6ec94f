/// The classes as Apple's framework needs them: its runtime supplies the accessors.
extension ModelRenderer {
    func renderAppleClass(_ plan: ClassPlan, in text: inout SourceText) {
        let name = SwiftIdentifier.escaped(plan.className)
        text.line("@objc(\(plan.className))")
        text.line("\(settings.access.modifier)class \(name): \(plan.superclassName) {}")
    }

    func renderAppleProperties(_ plan: ClassPlan, in text: inout SourceText) {
        let name = SwiftIdentifier.escaped(plan.className)
        // Ordered relationships that are arrays have no accessors at run time.
        let arrays = Set(
            plan.toManys.filter { $0.isOrdered && $0.collectionType.element(of: "Array") != nil }.map(\.name))
        text.block("extension \(name)") { text in
            renderFetchRequest(plan, in: &text)
            for property in plan.properties {
                text.blank()
                renderApple(property, isArray: arrays.contains(property.name), in: &text)
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
                for method in ToManyMethod.methods(of: toMany, onApple: true) {
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
    }

    private func renderApple(_ property: PropertyPlan, isArray: Bool, in text: inout SourceText) {
        let name = SwiftIdentifier.escaped(property.name)
        let head = "\(settings.access.modifier)var \(name): \(property.type.source)"
        let key = SourceText.literal(property.name)
        if isArray {
            text.block(head) { text in
                text.line("get { mutableOrderedSetValue(forKey: \(key)).array as? \(property.type.source) ?? [] }")
                text.line("set { setValue(NSOrderedSet(array: newValue), forKey: \(key)) }")
            }
        } else if property.body.setter == nil, case .optional(let type) = property.type {
            text.block(head) { $0.line("value(forKey: \(key)) as? \(type.source)") }
        } else {
            text.line("@NSManaged \(head)")
        }
    }
}
