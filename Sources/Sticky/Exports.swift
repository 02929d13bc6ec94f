// What the library's functions throw beside errors of their own is the kit's.
@_exported public import enum OpenCoreDataKit.DatabaseError

// Code written for the library imports Core Data with it. On Apple's platforms the module of that name is Apple's.
#if canImport(Darwin)
    @_exported public import OpenCoreData
#else
    @_exported public import CoreData
#endif
