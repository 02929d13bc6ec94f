// Code written for the library imports Core Data with it. On Apple's platforms the module of that name is Apple's.
@_exported public import CoreData

// Rules for the values of fields are the kit's.
@_exported public import struct OpenCoreDataKit.Validation
