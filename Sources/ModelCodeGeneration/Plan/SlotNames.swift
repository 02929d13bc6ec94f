/// The names of what accessors go through.
enum SlotNames {
    /// The enumeration with the slots of a class, private to the file.
    static func container(of className: String) -> String {
        "_\(className.split(separator: ".").joined(separator: "_"))Properties"
    }
}
