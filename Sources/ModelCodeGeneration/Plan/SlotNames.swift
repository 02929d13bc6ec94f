/// The names of what accessors go through.
enum SlotNames {
    /// The enumeration with the slots of a class, private to the file.
    static func container(of className: String) -> String {
        "_\(className.split(separator: ".").joined(separator: "_"))Properties"
    }

    /// The type inside of a class that lists the slots for the engine, which compares them with the model. `model` is for the
    /// properties of a model, `managed` for `@NSManaged` members: a class may have both.
    enum List: String {
        case model = "_ModelProperties"
        case managed = "_ManagedProperties"
    }

    /// Writes the slots of a class, and the list of them.
    ///
    /// - Parameters:
    ///   - slots: Names and types in order; one at least.
    static func render(
        _ slots: [(name: String, type: SwiftType)], of className: String, list: List, in text: inout SourceText
    ) {
        let container = container(of: className)
        text.block("private enum \(container)") { text in
            for slot in slots {
                text.line(
                    "static let \(self.slot(of: slot.name)) = "
                        + "ManagedProperty<\(slot.type.source)>(\(SourceText.literal(slot.name)))")
            }
        }
        let path = className.split(separator: ".").map { SwiftIdentifier.escaped(String($0)) }
        text.blank()
        text.block("extension \(path.joined(separator: "."))") { text in
            text.line("/// What is compared with the model before an object is made.")
            text.block("final class \(list.rawValue): ManagedPropertyList") { text in
                text.block("override class var properties: [ResolvedProperty]") { text in
                    text.line("[")
                    for slot in slots { text.line("    \(container).\(self.slot(of: slot.name)),") }
                    text.line("]")
                }
            }
        }
    }

    /// The name of a property's slot, as it stands in source.
    static func slot(of property: String) -> String {
        // Behind a dot these two are the language's own, backticks or not.
        ["Type", "Protocol"].contains(property) ? "\(property)_slot" : SwiftIdentifier.escaped(property)
    }
}
