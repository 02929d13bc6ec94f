#if Macros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// What the compiler runs.
@main
struct OpenCoreDataMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        ManagedObjectMacro.self, ManagedPropertyMacro.self, AttributeMacro.self, RelationshipMacro.self,
        TransientMacro.self, ModelMacro.self, PersistedPropertyMacro.self, UniqueMacro.self, IndexMacro.self,
        ModelActorMacro.self,
    ]
}
#else
/// Without the trait there is nothing to expand; a program needs a beginning all the same.
@main
enum OpenCoreDataMacrosPlugin {
    static func main() {}
}
#endif
