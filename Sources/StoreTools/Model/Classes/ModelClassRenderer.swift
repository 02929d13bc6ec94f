import ModelCodeGeneration

/// Writes classes with `@Model` as source.
struct ModelClassRenderer {
    /// What stands before declarations: an access level and a space, or nothing.
    let access: String

    /// The source of a class and of the types that its values have.
    func source(of entity: ModelClass) -> String {
        var text = SourceText()
        for type in entity.types {
            render(type, in: &text)
            text.blank()
        }
        text.line("@Model")
        let kind = entity.hasSubclasses ? "class" : "final class"
        let parent = entity.parent.map { ": \(SwiftIdentifier.escaped($0))" } ?? ""
        text.block("\(access)\(kind) \(SwiftIdentifier.escaped(entity.name))\(parent)") { text in
            lists("Unique", entity.unique, entity.name, in: &text)
            lists("Index", entity.indexes, entity.name, in: &text)
            for property in entity.properties { line(property, in: &text) }
            if !entity.properties.isEmpty { text.blank() }
            initializer(of: entity, in: &text)
        }
        return text.text
    }

    private func lists(_ macro: String, _ lists: [[String]], _ owner: String, in text: inout SourceText) {
        guard !lists.isEmpty else { return }
        let arguments = lists.map { list in
            "[\(list.map { "\\.\(SwiftIdentifier.escaped($0))" }.joined(separator: ", "))]"
        }
        text.line("#\(macro)<\(SwiftIdentifier.escaped(owner))>(\(arguments.joined(separator: ", ")))")
        text.blank()
    }

    private func line(_ property: ModelClass.Property, in text: inout SourceText) {
        let initial = property.initial.map { $0 == "nil" ? "" : " = \($0)" } ?? ""
        let declaration = "\(access)var \(SwiftIdentifier.escaped(property.name)): \(property.type)\(initial)"
        text.line((property.marks + [declaration]).joined(separator: " "))
    }

    private func initializer(of entity: ModelClass, in text: inout SourceText) {
        let parameters = entity.required.map { "\(SwiftIdentifier.escaped($0.name)): \($0.type)" }
        text.block("\(access)init(\(parameters.joined(separator: ", ")))") { text in
            if entity.parent != nil {
                let arguments = entity.inherited.map { property in
                    "\(SwiftIdentifier.escaped(property.name)): \(SwiftIdentifier.escaped(property.name))"
                }
                text.line("super.init(\(arguments.joined(separator: ", ")))")
            }
            for property in entity.properties where property.initial == nil {
                text.line("self.\(property.name) = \(SwiftIdentifier.escaped(property.name))")
            }
        }
    }

    private func render(_ type: ModelClass.ValueType, in text: inout SourceText) {
        switch type {
        case .rawValues(let name, let raw, let cases):
            text.line("// The cases are the values that the store has; the model doesn't name any.")
            text.block("\(access)enum \(name): \(raw), Codable") { text in
                for (name, value) in cases { text.line("case \(SwiftIdentifier.escaped(name)) = \(value)") }
            }
        case .cases(let name, let cases):
            text.block("\(access)enum \(name): Codable") { text in
                for name in cases { text.line("case \(SwiftIdentifier.escaped(name))") }
            }
        case .structure(let name, let properties):
            text.block("\(access)struct \(name): Codable") { text in
                for property in properties { line(property, in: &text) }
                if !access.isEmpty {
                    text.blank()
                    text.line("\(access)init() {}")
                }
            }
        }
    }
}
