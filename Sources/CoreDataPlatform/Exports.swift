// Core Data of the platform: Apple's framework where there is one, and the engine everywhere else. The kit, the macros and
// the libraries are written against this module, so that they build on both. What they need beyond Apple's names is in
// AppleCoreData for Apple's framework.
#if canImport(ObjectiveC)
@_exported public import AppleCoreData
@_exported public import CoreData
@_exported public import Foundation
#else
@_exported public import OpenCoreData
#endif
