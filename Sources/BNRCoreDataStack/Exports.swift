// Code written for the library imports Core Data with it. On Apple's platforms the module of that name is Apple's.
@_exported public import CoreData

// What the library's functions throw is the kit's.
@_exported public import enum OpenCoreDataKit.DatabaseError
