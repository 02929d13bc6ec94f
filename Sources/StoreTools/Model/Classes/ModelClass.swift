/// A class with `@Model`, as far as its source needs.
struct ModelClass {
    struct Property {
        let name: String
        let type: String
        /// The value of new models in source; nil for one that the initializer asks for.
        var initial: String?
        /// What stands before the property, such as `@Attribute(.unique)`.
        var marks: [String] = []
    }

    /// A type that values of the class have.
    enum ValueType {
        /// An enumeration with raw values of a type, with the names and the source of the values.
        case rawValues(name: String, type: String, cases: [(name: String, value: String)])
        case cases(name: String, cases: [String])
        case structure(name: String, properties: [Property])

        var name: String {
            switch self {
            case .rawValues(let name, _, _), .cases(let name, _), .structure(let name, _): name
            }
        }
    }

    let name: String
    var parent: String?
    var hasSubclasses = false
    var unique: [[String]] = []
    var indexes: [[String]] = []
    var properties: [Property] = []
    var types: [ValueType] = []
    /// What the initializer of the superclass asks for.
    var inherited: [Property] = []

    /// What the initializer asks for, in order.
    var required: [Property] { inherited + properties.filter { $0.initial == nil } }
}
