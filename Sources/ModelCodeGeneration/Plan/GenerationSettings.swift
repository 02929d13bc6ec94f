/// What can be chosen about generated code.
package struct GenerationSettings: Sendable {
    /// Who can see the generated declarations.
    package enum Access: String, Sendable, CaseIterable {
        case `public`
        case `package`
        case `internal`

        /// The modifier in front of a declaration, with the space behind it.
        var modifier: String { self == .internal ? "" : "\(rawValue) " }
    }

    /// The types of to-many relationships.
    package enum Collections: String, Sendable, CaseIterable {
        /// `NSSet?` and `NSOrderedSet?`, as Xcode has them.
        case foundation
        /// `Set<Book>` and `[Book]`.
        case swift
    }

    /// When an attribute of an object type is an optional.
    package enum Optionality: String, Sendable, CaseIterable {
        /// When it can be `nil`: always but where the model says that it isn't optional and has a default.
        case honest
        /// Always, as Xcode has it.
        case xcode
    }

    /// The module that the classes are in; `nil` if it isn't known.
    package var moduleName: String?
    /// Who makes the classes on Apple's platforms, where code imports `CoreData`.
    package enum AppleClasses: String, Sendable, CaseIterable {
        /// Xcode; the code stands aside.
        case xcode
        /// The same code, with `@NSManaged` properties: for targets whose model Xcode doesn't compile, or asks for no code.
        case managed
    }

    /// The module of Core Data that is imported.
    package var importedModule = "OpenCoreData"
    package var access = Access.public
    package var collections = Collections.foundation
    package var optionality = Optionality.honest
    package var apple = AppleClasses.xcode
    /// What is made for each entity; `nil` for what the model says.
    package var mode: CodeGenerationType?
    /// Whether the model's fetch request templates get functions, which Xcode doesn't make.
    package var makesTemplateFunctions = false

    package init() {}
}
