/// Spells the symbols that the compiler expects of properties and methods marked `@NSManaged`.
///
/// The grammar is that of Swift's stable symbol names, as far as such members need it: nominal types, generic
/// arguments, optionals, `Any` and `AnyObject`, with substitutions for what was spelled before.
struct SymbolMangler {
    /// Which accessor of a property.
    enum Accessor: String {
        case getter = "g"
        case setter = "s"
    }

    /// A parameter of a method.
    struct Parameter {
        /// `nil` where the call has none.
        var label: String?
        var type: SwiftType
    }

    /// Finds the declaration of a type by the name in the source; `nil` if it isn't found.
    private let resolve: (String) -> NominalType?
    private var symbol = "$s"
    private var words = MangledWords()
    /// The indexes of identifiers, nominal types and other types among what was spelled.
    private var substitutions: [Substitution: Int] = [:]
    private var lastSubstitution: LastSubstitution?

    private enum Substitution: Hashable {
        case identifier(String)
        case nominal(NominalType)
        case type(SwiftType)
    }

    /// What was spelled last, when it can take up the next substitution.
    private struct LastSubstitution {
        var start: Int
        var end: Int
        var count: Int
        var isStandard: Bool
    }

    /// A type that has no spelling here.
    struct UnknownType: Error {
        var name: String
    }

    private init(_ resolve: @escaping (String) -> NominalType?) { self.resolve = resolve }

    /// The symbol of an accessor.
    static func accessor(
        _ accessor: Accessor, of name: String, type: SwiftType, in owner: NominalType,
        resolve: @escaping (String) -> NominalType?
    ) throws(UnknownType) -> String {
        var mangler = SymbolMangler(resolve)
        mangler.append(owner)
        mangler.append(identifier: name)
        try mangler.append(type)
        return mangler.symbol + "v" + accessor.rawValue
    }

    /// The symbol of a method that returns nothing.
    static func method(
        _ name: String, parameters: [Parameter], in owner: NominalType, resolve: @escaping (String) -> NominalType?
    ) throws(UnknownType) -> String {
        var mangler = SymbolMangler(resolve)
        mangler.append(owner)
        mangler.append(identifier: name)
        let hasLabels = parameters.contains { $0.label != nil }
        if !hasLabels { mangler.append(operator: "y") }
        for parameter in parameters where hasLabels {
            if let label = parameter.label {
                mangler.append(identifier: label)
            } else {
                mangler.append(operator: "_")
            }
        }
        mangler.append(operator: "y")
        try mangler.append(parameters)
        return mangler.symbol + "F"
    }

    private mutating func append(_ parameters: [Parameter]) throws(UnknownType) {
        guard let first = parameters.first else {
            append(operator: "y")
            return
        }
        if parameters.count == 1, first.label == nil {
            try append(first.type)
            return
        }
        for (index, parameter) in parameters.enumerated() {
            try append(parameter.type)
            if index == 0 { append(operator: "_") }
        }
        append(operator: "t")
    }

    // MARK: Types

    private mutating func append(_ type: SwiftType) throws(UnknownType) {
        switch type {
        case .any: append(operator: "yp")
        case .anyObject: append(operator: "yXl")
        case .optional(let wrapped):
            if substitute(.type(type)) { return }
            try append(wrapped)
            append(operator: "Sg")
            record(.type(type))
        case .named(let path, let arguments):
            let name = path.joined(separator: ".")
            let canonical = SymbolTypes.aliases[name] ?? name
            if arguments.isEmpty {
                try append(nominal: canonical)
            } else {
                if substitute(.type(type)) { return }
                try append(nominal: canonical)
                append(operator: "y")
                for argument in arguments { try append(argument) }
                append(operator: "G")
                record(.type(type))
            }
        }
    }

    private mutating func append(nominal name: String) throws(UnknownType) {
        if let type = resolve(name) {
            append(type)
            return
        }
        if let letter = SymbolTypes.letters[name] {
            append(letter: letter, isStandard: true)
            return
        }
        guard let type = Self.known(name) else { throw UnknownType(name: name) }
        append(type)
    }

    private static func known(_ name: String) -> NominalType? {
        if let type = SymbolTypes.known[name] { return type }
        guard let dot = name.firstIndex(of: "."), SymbolTypes.modules.contains(String(name[..<dot])) else { return nil }
        return SymbolTypes.known[String(name[name.index(after: dot)...])]
    }

    private mutating func append(_ type: NominalType) {
        if substitute(.nominal(type)) { return }
        var context = type
        let last = context.path.removeLast()
        if !context.path.isEmpty {
            append(context)
        } else if type.module == "Swift" {
            append(operator: "s")
        } else {
            append(identifier: type.module)
        }
        append(identifier: last.name)
        append(operator: last.kind.rawValue)
        record(.nominal(type))
    }

    // MARK: Pieces

    private mutating func append(operator string: String) { symbol += string }

    private mutating func append(identifier: String) {
        if substitute(.identifier(identifier)) { return }
        symbol += words.mangle(identifier)
        record(.identifier(identifier))
    }

    private mutating func record(_ substitution: Substitution) { substitutions[substitution] = substitutions.count }

    /// Spells what was spelled before by its number.
    private mutating func substitute(_ substitution: Substitution) -> Bool {
        guard let index = substitutions[substitution] else { return false }
        if index < 26, let scalar = Unicode.Scalar(UInt32(65 + index)) {
            append(letter: Character(scalar), isStandard: false)
        } else {
            symbol += index == 26 ? "A_" : "A\(index - 27)_"
        }
        return true
    }

    /// Spells a substitution of one letter, joined with the one before it: `SS` and `SS` are `S2S`, `AB` and `AC` are
    /// `AbC`.
    private mutating func append(letter: Character, isStandard: Bool) {
        let end = symbol.utf8.count
        if var last = lastSubstitution, last.end == end, last.isStandard == isStandard, let former = symbol.last {
            if former == letter {
                last.count += 1
                symbol.removeLast(end - last.start)
                symbol += "\(last.count)\(letter)"
                last.end = symbol.utf8.count
                lastSubstitution = last
                return
            }
            if !isStandard {
                symbol.removeLast()
                symbol += former.lowercased() + String(letter)
                lastSubstitution = LastSubstitution(start: end, end: end + 1, count: 1, isStandard: false)
                return
            }
        }
        symbol += (isStandard ? "S" : "A") + String(letter)
        lastSubstitution = LastSubstitution(start: end + 1, end: end + 2, count: 1, isStandard: isStandard)
    }
}
