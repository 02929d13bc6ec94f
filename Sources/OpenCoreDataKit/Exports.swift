// One import for users of the kit: the engine and Foundation come with it.
@_exported public import CoreDataPlatform
