#if Server
    internal import OpenCoreDataKit

    /// A database as a service of a server program.
    public struct DatabaseService {}
#endif
