#if PostgreSQL
import Testing

@testable import OpenCoreDataPostgreSQL

@Test func clientLibraryHasAVersion() { #expect(PostgreSQLStore.clientVersion > 100_000) }
#endif
