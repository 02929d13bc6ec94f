/// The accessors that a module's `@NSManaged` members lack off Apple's platforms.
///
/// There `@NSManaged` says that the accessors come from elsewhere, and nothing else; without them a program doesn't link.
/// A method that is exported under an accessor's symbol supplies it.
package struct ManagedAccessors: Sendable {
    /// What is supplied for one class.
    struct ClassAccessors: Sendable {
        var className: String
        var accessors: [Accessor] = []
        var slots: [Slot] = []
        /// The properties besides those of the model that key-value coding finds.
        var keyed: [String] = []
    }

    struct Slot: Hashable, Sendable {
        var name: String
        var type: SwiftType
    }

    /// A method under the symbol of an accessor.
    struct Accessor: Sendable {
        var symbol: String
        var isPublic: Bool
        /// The name and what follows it, up to the brace.
        var signature: String
        var body: [String]
        /// The types that can be seen in it.
        var types: [SwiftType]
    }

    var classes: [ClassAccessors] = []

    /// The symbols that are supplied.
    package var symbols: [String] { classes.flatMap { $0.accessors.map(\.symbol) } }

    /// A file of the module.
    package struct Source: Sendable {
        package var file: String
        package var text: String

        package init(file: String, text: String) {
            self.file = file
            self.text = text
        }
    }

    /// Works out what the sources of a module lack.
    ///
    /// - Parameters:
    ///   - sources: The module's files.
    ///   - moduleName: The module.
    ///   - generatedClasses: Classes of managed objects that the module has besides, such as a model's.
    package static func plan(_ sources: [Source], moduleName: String, generatedClasses: Set<String> = [])
        -> Diagnosed<ManagedAccessors>
    {
        var declarations = ManagedDeclarations()
        for source in sources { declarations.merge(SourceScanner.scan(source.text, file: source.file)) }
        var planner = ManagedAccessorPlanner(
            ManagedScope(declarations, moduleName: moduleName, generatedClasses: generatedClasses))
        planner.take(declarations)
        return Diagnosed(planner.result, planner.diagnostics)
    }
}
