/// The types that the source of a module can name.
struct ManagedScope: Sendable {
    private static let deepest = 64

    let moduleName: String
    private var types: [String: ManagedDeclarations.DeclaredType] = [:]
    private let aliases: [String: SwiftType]
    /// Classes that another tool makes in the module, such as those of a model.
    private let generatedClasses: Set<String>

    init(_ declarations: ManagedDeclarations, moduleName: String, generatedClasses: Set<String>) {
        self.moduleName = moduleName
        self.generatedClasses = generatedClasses
        aliases = declarations.aliases
        for type in declarations.types { types[type.name] = type }
    }

    /// Where a name stands: inside of a type, or of an extension of one, which doesn't see what surrounds the type.
    struct Position: Sendable {
        var owner: String
        var isInExtension = false

        /// The top of a file.
        static let top = Position(owner: "")
    }

    /// What a name represents.
    private enum Meaning {
        case type(ManagedDeclarations.DeclaredType)
        /// Another name for a type, and the type that this name is declared in.
        case alias(SwiftType, scope: String)
    }

    /// The type that a name represents inside of another; `nil` if the module has none of the name.
    func declared(_ name: String, inside owner: String = "") -> ManagedDeclarations.DeclaredType? {
        if case .type(let type) = meaning(name, Position(owner: owner)) { return type }
        return nil
    }

    private func meaning(_ name: String, _ position: Position) -> Meaning? {
        for scope in scopes(position) {
            let full = scope.isEmpty ? name : "\(scope).\(name)"
            if let type = types[full] { return .type(type) }
            if let target = aliases[full] {
                return .alias(target, scope: full.split(separator: ".").dropLast().joined(separator: "."))
            }
        }
        guard name.hasPrefix(moduleName + ".") else { return nil }
        return types[String(name.dropFirst(moduleName.count + 1))].map(Meaning.type)
    }

    /// The types whose members can be named at a position, from the inside out, and the top of the file.
    private func scopes(_ position: Position) -> [String] {
        var result: [String] = []
        var outer = position.owner.split(separator: ".")[...]
        while !outer.isEmpty {
            let name = outer.joined(separator: ".")
            result.append(name)
            result += superclasses(of: name)
            if position.isInExtension { break }
            outer.removeLast()
        }
        return result + [""]
    }

    /// The superclasses of a class that the module declares, whose members it inherits.
    private func superclasses(of name: String) -> [String] {
        var result: [String] = []
        var current = types[name]
        while let type = current, type.kind == .class, result.count < Self.deepest,
            let parent = type.inherited.first?.simpleName
        {
            var outer = type.name.split(separator: ".").dropLast()
            current = nil
            while current == nil {
                current = types[(outer + [Substring(parent)]).joined(separator: ".")]
                guard !outer.isEmpty else { break }
                outer.removeLast()
            }
            if let found = current { result.append(found.name) }
        }
        return result
    }

    /// A type as it can be written anywhere in the module: without other names for it, and with the types around it.
    func qualified(_ type: SwiftType, at position: Position, depth: Int = 0) -> SwiftType {
        guard depth < 16 else { return type }
        switch type {
        case .any, .anyObject: return type
        case .optional(let wrapped): return .optional(qualified(wrapped, at: position, depth: depth + 1))
        case .named(let path, let arguments):
            let arguments = arguments.map { qualified($0, at: position, depth: depth + 1) }
            if case .type(let type) = meaning(path.joined(separator: "."), position) {
                return path.first == moduleName ? .named(path, arguments) : .named(type.path, arguments)
            }
            return arguments.isEmpty
                ? unaliased(path, at: position, depth) ?? .named(path, []) : .named(path, arguments)
        }
    }

    /// The type that a path names whose beginning, or all of it, is another name for a type.
    private func unaliased(_ path: [String], at position: Position, _ depth: Int) -> SwiftType? {
        for count in stride(from: path.count, through: 1, by: -1) {
            guard case .alias(let target, let scope) = meaning(path[..<count].joined(separator: "."), position) else {
                continue
            }
            let found = qualified(target, at: Position(owner: scope), depth: depth + 1)
            if count == path.count { return found }
            guard case .named(let outer, let arguments) = found, arguments.isEmpty else { return nil }
            return qualified(.named(outer + path[count...], []), at: .top, depth: depth + 1)
        }
        return nil
    }

    /// The declaration that a symbol names.
    func nominal(_ name: String) -> NominalType? {
        if let type = declared(name), !type.isGeneric { return nominal(type) }
        let short = name.hasPrefix(moduleName + ".") ? String(name.dropFirst(moduleName.count + 1)) : name
        return generatedClasses.contains(short) ? NominalType(moduleName, short, .class) : nil
    }

    private func nominal(_ type: ManagedDeclarations.DeclaredType) -> NominalType? {
        var path: [NominalType.Part] = []
        var name = ""
        for part in type.name.split(separator: ".") {
            name += (name.isEmpty ? "" : ".") + part
            // A type in an extension of another module's type has a symbol of another form.
            guard let kind = types[name]?.kind ?? (generatedClasses.contains(name) ? .class : nil) else { return nil }
            path.append(NominalType.Part(name: String(part), kind: kind))
        }
        return NominalType(module: moduleName, path: path)
    }

    /// Whether a class is certainly one of managed objects.
    func isManagedClass(_ name: String) -> Bool {
        var name = name
        for _ in 0..<Self.deepest {
            if ["NSManagedObject", "CoreData.NSManagedObject", "OpenCoreData.NSManagedObject"].contains(name) {
                return true
            }
            guard let type = declared(name) else { return generatedClasses.contains(name) }
            guard type.kind == .class, let parent = type.inherited.first else { return false }
            let outer = type.path.dropLast().joined(separator: ".")
            guard let next = qualified(parent, at: Position(owner: outer)).simpleName else { return false }
            name = next
        }
        return false
    }
}
