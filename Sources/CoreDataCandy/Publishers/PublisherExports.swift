#if Publishers
// Combine's types are what users of publishers write with.
#if canImport(Combine)
@_exported public import Combine
#else
@_exported public import OpenCombine
#endif
#endif
