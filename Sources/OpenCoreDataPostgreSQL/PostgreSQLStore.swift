#if PostgreSQL
    internal import CPostgreSQL

    /// A store whose objects are rows of a PostgreSQL schema, shared by many machines.
    public enum PostgreSQLStore {
        /// The version of the client library, such as `150018` for 15.18.
        package static var clientVersion: Int { Int(PQlibVersion()) }
    }
#endif
