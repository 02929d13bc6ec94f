#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@_PersistedProperty` and `@_PropertySetEarly`: the slot of a property, and accessors that read and write through it.
enum PersistedPropertyMacro {}

extension PersistedPropertyMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let (property, owner) = read(declaration, node, in: context) else { return [] }
        let path = "\\\(owner).\(property.reference)"
        let slot = "\(owner).\(property.slotName)"
        var accessors: [AccessorDeclSyntax] = [
            "get { SwiftData._read(self, \(raw: slot), \(raw: path)) }",
            "set { SwiftData._write(newValue, self, \(raw: slot), \(raw: path)) }",
        ]
        if property.isSetEarly {
            accessors.append(
                """
                @storageRestrictions(accesses: _$begun, initializes: \(raw: property.markName))
                init(_$value) {
                    _$begun.set(_$value, "\(raw: property.name)")
                    \(raw: property.markName) = SwiftData._SetMark()
                }
                """)
        }
        if property.isArray {
            accessors.append(
                """
                _modify {
                    var value = SwiftData._take(self, \(raw: slot), \(raw: path))
                    defer { SwiftData._put(value, self, \(raw: slot), \(raw: path)) }
                    yield &value
                }
                """)
        }
        return accessors
    }
}

extension PersistedPropertyMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let (property, owner) = read(declaration, node, in: context) else { return [] }
        let slot: DeclSyntax =
            """
            private nonisolated static let \(raw: property.slotName) = SwiftData.\(raw: property.slotFunction)(\
            "\(raw: property.name)", \\\(raw: owner).\(raw: property.reference))
            """
        guard property.isSetEarly else { return [slot] }
        return [slot, "private var \(raw: property.markName): SwiftData._SetMark"]
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
