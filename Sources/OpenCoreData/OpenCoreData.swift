// The umbrella that users import: Foundation, the engine, and the engine's own classes where Foundation has one of the
// same name. The scoped re-exports make the engine's class or function win in a file that also imports Foundation.
@_exported public import CoreDataEngine
@_exported public import Foundation

@_exported public import class CoreDataEngine.NSComparisonPredicate
@_exported public import class CoreDataEngine.NSCompoundPredicate
@_exported public import class CoreDataEngine.NSExpression
@_exported public import class CoreDataEngine.NSPredicate
@_exported public import class CoreDataEngine.NSSortDescriptor

#if !canImport(ObjectiveC)
@_exported public import func CoreDataEngine.NSClassFromString
@_exported public import func CoreDataEngine.NSStringFromClass
#endif
