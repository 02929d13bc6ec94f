// The same module by a name that is the engine's on every platform.
@_exported public import SwiftData
