/// The names of what accessors go through.
enum SlotNames {
    /// The enumeration with the slots of a class, private to the file.
    static func container(of className: String) -> String {
        "_\(className.split(separator: ".").joined(separator: "_"))Properties"
    }

    /// The name of a property's slot, as it stands in source.
    static func slot(of property: String) -> String {
        // Behind a dot these two are the language's own, backticks or not.
        ["Type", "Protocol"].contains(property) ? "\(property)_slot" : SwiftIdentifier.escaped(property)
    }
}
