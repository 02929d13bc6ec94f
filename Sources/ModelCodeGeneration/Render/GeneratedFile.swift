/// A file of generated source.
package struct GeneratedFile: Hashable, Sendable {
    /// The name without folders.
    package var name: String
    package var content: String

    package init(name: String, content: String) {
        self.name = name
        self.content = content
    }
}
