import Foundation

/// What the options of a SQLite store ask to be done once, when it was opened.
enum StoreMaintenance {
    /// Runs `ANALYZE` and `VACUUM` as the options say.
    static func run(_ options: [AnyHashable: Any]?, on store: NSPersistentStore, at url: URL) throws {
        guard store.type == NSSQLiteStoreType, !store.isReadOnly else { return }
        var script: [String] = []
        if NSPersistentStore.flag(options?[NSSQLiteAnalyzeOption]) == true { script.append("ANALYZE") }
        if NSPersistentStore.flag(options?[NSSQLiteManualVacuumOption]) == true { script.append("VACUUM") }
        guard !script.isEmpty else { return }
        do {
            let connection = try SQLiteConnection(
                path: url.path, configuration: SQLiteConfiguration(access: .readWrite))
            defer { connection.close() }
            for statement in script { try connection.execute(script: statement) }
        } catch let error as SQLiteError {
            throw error.cocoaError(while: .opening)
        }
    }
}
