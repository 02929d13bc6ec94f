#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// `@_PersistedProperty` and `@_PropertySetEarly`: the slot of a property, and accessors that read and write through it.
enum PersistedPropertyMacro: SourceMacro {}

extension PersistedPropertyMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let (property, owner) = read(declaration, node, in: context) else { return [] }
        let path = "\\\(owner).\(property.reference)"
        let slot = "\(owner).\(property.slotName)"
        var accessors = [
            "get { SwiftData._read(self, \(slot), \(path)) }",
            "set { SwiftData._write(newValue, self, \(slot), \(path)) }",
        ]
        if property.isSetEarly {
            accessors.append(
                """
                @storageRestrictions(accesses: _$begun, initializes: \(property.markName))
                init(_$value) {
                    _$begun.set(_$value, "\(property.name)")
                    \(property.markName) = SwiftData._SetMark()
                }
                """)
        }
        if property.isArray {
            accessors.append(
                """
                _modify {
                    var value = SwiftData._take(self, \(slot), \(path))
                    defer { SwiftData._put(value, self, \(slot), \(path)) }
                    yield &value
                }
                """)
        }
        return accessors.map(AccessorDeclSyntax.init(source:))
    }
}

extension PersistedPropertyMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let (property, owner) = read(declaration, node, in: context) else { return [] }
        let slot =
            """
            private nonisolated static let \(property.slotName) = SwiftData.\(property.slotFunction)(\
            "\(property.name)", \\\(owner).\(property.reference))
            """
        let mark = property.isSetEarly ? ["private var \(property.markName): SwiftData._SetMark"] : []
        return ([slot] + mark).map(DeclSyntax.init(source:))
    }
}

extension PersistedPropertyMacro {
    private static func read(
        _ declaration: some DeclSyntaxProtocol, _ node: AttributeSyntax, in context: some MacroExpansionContext
    ) -> (ModelPropertySyntax, owner: String)? {
        guard let variable = declaration.as(VariableDeclSyntax.self),
            case .persisted(var property) = ModelPropertySyntax.read(variable),
            let owner = context.lexicalContext.lazy.compactMap({ $0.as(ClassDeclSyntax.self) }).first
        else { return nil }
        property.isSetEarly = node.attributeName.trimmedDescription.hasSuffix("_PropertySetEarly")
        return (property, owner.name.text)
    }
}
#endif
