/// One element of a model's source, with its attributes in their order.
///
/// Text is kept for property lists; model sources have none.
package struct SourceElement: Equatable, Sendable {
    package var name: String
    package var attributes: SourceAttributes = [:]
    package var children: [SourceElement] = []
    package var text = ""
    /// Where the element begins, for error messages.
    package var line = 0

    package init(_ name: String, _ attributes: SourceAttributes = [:], children: [SourceElement] = []) {
        self.name = name
        self.attributes = attributes
        self.children = children
    }

    /// The children of one kind.
    package func children(named name: String) -> [SourceElement] { children.filter { $0.name == name } }

    /// Whether two elements say the same, wherever they stand.
    package static func == (first: SourceElement, second: SourceElement) -> Bool {
        first.name == second.name && first.attributes == second.attributes && first.children == second.children
    }
}
