#if Macros
import SwiftSyntax

/// The declarations that `@Model` adds to a class.
struct ModelSyntax {
    let owner: ClassDeclSyntax
    let properties: [ModelPropertySyntax]
    /// Whether no superclass is a model.
    let isRoot: Bool

    private var name: String { owner.name.text }
    private var access: String { owner.modifiers.accessPrefix }
    /// What subclasses override: they may be in other modules.
    private var overridable: String {
        owner.modifiers.contains { $0.name.tokenKind == .keyword(.open) } ? "open " : access
    }
    /// Internal, or less where the class is.
    private var memberAccess: String { access == "fileprivate " ? access : "" }

    private var early: [ModelPropertySyntax] { properties.filter(\.isSetEarly) }

    var declarations: [String] {
        let own = [metadata, initialization, initializer] + beginning
        return isRoot ? storage + own : own
    }

    /// What is done with the values that were set before the superclass was initialized.
    private var beginning: [String] {
        let function = "\(overridable)\(isRoot ? "" : "override ")func _$begin(_ storage: SwiftData.ModelStorage)"
        guard !early.isEmpty else { return isRoot ? ["\(function) {}"] : [] }
        return [
            "private var _$begun = SwiftData._BegunValues()",
            """
            \(function) {
                \(isRoot ? "" : "super._$begin(storage)\n    ")_$begun.move(to: storage)
            }
            """,
        ]
    }

    // `_$equals`: where a macro makes the conformance, the compiler finds an own `==` of the class twice, and takes
    // neither.
    private var storage: [String] {
        [
            """
            \(access)final var _$modelStorage: SwiftData.ModelStorage? = nil {
                didSet { _$pointer = _$modelStorage.map { .passUnretained($0) } }
            }
            """,
            "@exclusivity(unchecked) \(access)final var _$pointer: Unmanaged<SwiftData.ModelStorage>? = nil",
            "\(access)typealias Root = \(name)",
            """
            \(access)var persistentBackingData: any SwiftData.BackingData<\(name)> {
                get { SwiftData.ModelBackingData<\(name)>(SwiftData._storage(of: self)) }
                set { _$modelStorage = newValue._storage }
            }
            """,
            """
            @_implements(Equatable, ==(_:_:))
            \(access)nonisolated static func _$equals(_ lhs: \(name), _ rhs: \(name)) -> Bool {
                \(owner.declaresFunction("==") ? "lhs == rhs" : "SwiftData._isEqual(lhs, rhs)")
            }
            """,
            """
            \(memberAccess)final func access<_Member>(keyPath: KeyPath<\(name), _Member>) {
                SwiftData._storage(of: self)._access(self, keyPath)
            }
            """,
            """
            \(memberAccess)final func withMutation<_Member, _Result>(
                keyPath: KeyPath<\(name), _Member>, _ mutation: () throws -> _Result
            ) rethrows -> _Result {
                try SwiftData._storage(of: self)._withMutation(self, keyPath, mutation)
            }
            """,
        ]
    }

    private var metadata: String {
        let entries = properties.map { $0.metadata(of: name) } + constraints
        let own = entries.isEmpty ? "[]" : "[\n        \(entries.joined(separator: ",\n        "))\n    ]"
        return isRoot
            ? """
            \(overridable)class var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
                \(own)
            }
            """
            : """
            \(overridable)override class var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
                super.schemaMetadata + (\(own) as [SwiftData.Schema.PropertyMetadata])
            }
            """
    }

    /// `#Unique` and `#Index` of the class.
    private var constraints: [String] {
        owner.memberBlock.members.compactMap { member in
            guard let macro = member.decl.as(MacroExpansionDeclSyntax.self),
                ["Unique", "Index"].contains(macro.macroName.text)
            else { return nil }
            let type = "SwiftData.Schema.\(macro.macroName.text)<\(name)>"
            return "SwiftData.Schema.PropertyMetadata(\(type)(\(macro.arguments.trimmedDescription)))"
        }
    }

    private var initialization: String {
        var lines = properties.compactMap { $0.initialization(of: name) }
        if !isRoot { lines.insert("super._$initialize(storage)", at: 0) }
        return """
            \(overridable)\(isRoot ? "" : "override ")class func _$initialize(_ storage: SwiftData.ModelStorage) {
                \(lines.joined(separator: "\n    "))
            }
            """
    }

    private var initializer: String {
        // Observers of a property aren't called in an initializer.
        var lines = early.map { "\($0.markName) = SwiftData._SetMark()" }
        lines +=
            isRoot
            ? [
                "let storage = SwiftData._adopt(backingData)", "_$modelStorage = storage",
                "_$pointer = .passUnretained(storage)",
            ] : ["super.init(backingData: backingData)"]
        if !early.isEmpty { lines.append("_$begun = SwiftData._BegunValues()") }
        let body = lines.joined(separator: "\n    ")
        return """
            \(access)required init(backingData: any SwiftData.BackingData<\(isRoot ? name : "Root")>) {
                \(body)
            }
            """
    }
}
#endif
