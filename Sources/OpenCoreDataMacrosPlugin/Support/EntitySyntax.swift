#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// The declarations that describe a class's entity.
struct EntitySyntax {
    let owner: ClassDeclSyntax
    let mark: AttributeSyntax
    let properties: [ManagedPropertySyntax]
    /// Whether no superclass has an entity.
    let isRoot: Bool

    var declarations: [String] {
        let start = "\(access)\(isRoot ? "" : "override ")class var"
        return [
            "\(start) entityName: String { \(name) }",
            """
            \(start) entityBlueprint: EntityBlueprint {
                EntityBlueprint(
                    \(arguments.joined(separator: ",\n        ")))
            }
            """,
        ] + freshDefaults
    }

    /// Apple's models have no values that are made for each object, so that the object makes them itself there.
    private var freshDefaults: [String] {
        guard properties.contains(where: \.hasFreshDefault), !owner.declaresFunction("awakeFromInsert") else {
            return []
        }
        return [
            """
            #if canImport(ObjectiveC)
            \(access)override func awakeFromInsert() {
                super.awakeFromInsert()
                setFreshDefaults(of: \(className).entityBlueprint)
            }
            #endif
            """
        ]
    }

    private var className: String { owner.name.text }

    private var name: ExprSyntax {
        let bare = className.filter { $0 != "`" }
        return MarkArguments(mark).value("entity")?.trimmed ?? "\(literal: bare)"
    }

    private var arguments: [String] {
        var arguments = ["of: \(className).self", "name: \(name)"]
        if !isRoot { arguments.append("inheriting: super.entityBlueprint") }
        let labels = ["abstract": "isAbstract"]
        let given = MarkArguments(mark)
        for label in ["abstract", "originalName", "unique", "hashModifier"] {
            if let value = given.value(label) { arguments.append("\(labels[label] ?? label): \(value.trimmed)") }
        }
        let lines = properties.map { "\n            \($0.blueprint(of: className))" }
        arguments.append("properties: [\(lines.joined(separator: ","))\(lines.isEmpty ? "" : "\n        ")]")
        return arguments
    }

    private var access: String {
        for modifier in owner.modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.open), .keyword(.public), .keyword(.package): return "\(modifier.name.text) "
            default: break
            }
        }
        return ""
    }
}
#endif
