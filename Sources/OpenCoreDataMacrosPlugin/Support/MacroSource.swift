#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// A macro whose expansions are source as it stands.
///
/// The compiler parses what a macro makes anyway. To parse and to format it here as well takes most of a macro's time,
/// above all in debug builds, in which SwiftPM compiles macros without optimization.
protocol SourceMacro: Macro {}

extension SourceMacro {
    static var formatMode: FormatMode { .disabled }
}

extension DeclSyntax {
    /// A declaration that isn't parsed here.
    init(source: String) { self.init(MissingDeclSyntax(placeholder: .unknown(source))) }
}

extension AccessorDeclSyntax {
    /// An accessor that isn't parsed here, indented as in the braces that the compiler puts around it.
    init(source: String) {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
        self.init(accessorSpecifier: .unknown(lines.joined(separator: "\n")))
    }
}

extension AttributeSyntax {
    /// An attribute without arguments.
    init(named name: String) {
        self.init(attributeName: IdentifierTypeSyntax(name: .identifier(name)))
    }
}

extension ExtensionDeclSyntax {
    /// An extension that adds nothing but a conformance.
    init(of type: some TypeSyntaxProtocol, to conformances: String, isNonisolated: Bool = false) {
        let source = "\(isNonisolated ? "nonisolated " : "")extension \(type.trimmed): \(conformances) {}"
        self.init(
            extensionKeyword: .unknown(source), extendedType: MissingTypeSyntax(placeholder: .unknown("")),
            memberBlock: MemberBlockSyntax(leftBrace: .unknown(""), members: [], rightBrace: .unknown("")))
    }
}
#endif
