/// The types that the source of a module can name.
struct ManagedScope: Sendable {
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

    /// The type that a name stands for inside of another; `nil` when the module has none of the name.
    func declared(_ name: String, inside owner: String = "") -> ManagedDeclarations.DeclaredType? {
        candidates(name, owner).lazy.compactMap { types[$0] }.first
    }

    private func candidates(_ name: String, _ owner: String) -> [String] {
        var result: [String] = []
        var outer = owner.split(separator: ".")[...]
        while !outer.isEmpty {
            result.append(outer.joined(separator: ".") + "." + name)
            outer.removeLast()
        }
        result.append(name)
        if name.hasPrefix(moduleName + ".") { result.append(String(name.dropFirst(moduleName.count + 1))) }
        return result
    }

    /// A type without other names for it.
    func expanded(_ type: SwiftType, inside owner: String, depth: Int = 0) -> SwiftType {
        guard depth < 16 else { return type }
        switch type {
        case .any, .anyObject: return type
        case .optional(let wrapped):
            return .optional(expanded(wrapped, inside: owner, depth: depth + 1))
        case .named(let path, let arguments):
            let name = path.joined(separator: ".")
            if arguments.isEmpty, declared(name, inside: owner) == nil,
                let target = candidates(name, owner).lazy.compactMap({ aliases[$0] }).first
            {
                return expanded(target, inside: owner, depth: depth + 1)
            }
            return .named(path, arguments.map { expanded($0, inside: owner, depth: depth + 1) })
        }
    }

    /// The declaration that a symbol names.
    func nominal(_ name: String, inside owner: String) -> NominalType? {
        if let type = declared(name, inside: owner), !type.isGeneric { return nominal(type) }
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
    func isManagedClass(_ name: String, inside owner: String) -> Bool {
        var name = name
        var owner = owner
        for _ in 0..<64 {
            if ["NSManagedObject", "CoreData.NSManagedObject", "OpenCoreData.NSManagedObject"].contains(name) {
                return true
            }
            guard let type = declared(name, inside: owner) else { return generatedClasses.contains(name) }
            guard type.kind == .class, let parent = type.inherited.first?.simpleName else { return false }
            owner = type.name
            name = parent
        }
        return false
    }
}
