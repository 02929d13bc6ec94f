#if Server
public import OpenCoreDataKit
public import ServiceLifecycle

/// A database as a service of a server program: it is there until the program ends, and is closed when it does, after
/// everything that has begun.
///
///     let database = try await Database.open(.init(name: "Books", stores: [.sqlite(in: .at(folder))]))
///     var application = Application(router: router)
///     application.addServices(DatabaseService(database))
///     try await application.runService()
///
/// Services end in the opposite order of their start: the server, which starts after the services that were added to
/// it, has answered its last request when the database closes.
public struct DatabaseService: Service {
    /// The database.
    public let database: Database

    /// Creates the service of a database.
    ///
    /// Open the database before: the service doesn't, so that a database that can't be opened ends the program at once.
    ///
    /// - Parameter database: An open database, which the service closes when the program shuts down.
    public init(_ database: Database) { self.database = database }

    /// Waits for the end of the program, and closes the database.
    ///
    /// It is called by the service group. Operations that have begun are waited for. If the task is cancelled, the
    /// database is closed as well.
    ///
    /// - Throws: The error of closing. A database that is already closed isn't an error.
    public func run() async throws {
        // Thrown by a task that is cancelled, as a group of services does when one of them fails.
        try? await gracefulShutdown()
        do {
            try await database.close()
        } catch DatabaseError.closed {
            return
        }
    }
}
#endif
