// Code written for the library imports Core Data with it. On Apple's platforms the module of that name is Apple's.
@_exported public import CoreData

// What the library's functions throw and show is the kit's.
@_exported public import enum OpenCoreDataKit.DatabaseError
@_exported public import class OpenCoreDataKit.HeadlessSurface
@_exported public import struct OpenCoreDataKit.ListChanges
@_exported public import class OpenCoreDataKit.ListContent
@_exported public import protocol OpenCoreDataKit.ListSurface
@_exported public import class OpenCoreDataKit.TerminalSurface
