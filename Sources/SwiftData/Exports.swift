@_exported public import Foundation
@_exported public import Observation

@_exported public import class CoreDataEngine.NSSecureUnarchiveFromDataTransformer
@_exported public import struct CoreDataEngine.NSValueTransformerName
// One import for models and what they are written with: files that import SwiftData alone compile as on Apple's platforms.
// The scoped import brings the members that `#Predicate` asks for, and no other name of the engine.
@_exported public import class CoreDataEngine.UndoManager
@_exported public import class CoreDataEngine.ValueTransformer
