// One import for models in Swift: Core Data's API and Foundation come with the macros.
@_exported public import CoreDataPlatform
