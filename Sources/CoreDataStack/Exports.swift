// The library under the name by which it is imported where it was installed with Carthage.
@_exported public import BNRCoreDataStack
