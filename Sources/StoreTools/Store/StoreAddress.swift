package import Foundation
package import OpenCoreData

/// Where a store is, as a user names it: the path of a file, or the URL of a database on a server.
package struct StoreAddress {
    /// The URL, which may have a password in it: `name` and `displayName` are for messages.
    package let url: URL
    /// The class of stores on such a server; nil for a file.
    package let server: (any RemoteStore.Type)?

    private static let schemes = ["postgresql:", "postgres:"]

    /// Whether a user's words are meant as a URL and not as a path.
    package static func isServer(_ string: String) -> Bool {
        let string = string.lowercased()
        return schemes.contains { string.hasPrefix($0) }
    }

    /// A string without the passwords in what a user typed.
    ///
    /// - Parameter words: What the user typed, some of which the string may have in it.
    package static func withoutSecrets(_ string: String, in words: [String]) -> String {
        words.filter(isServer).reduce(string) { string, word in
            string.replacing(word, with: URL(string: word)?.withoutSecrets.absoluteString ?? "postgresql:…")
        }
    }

    /// - Parameter string: A path, or a URL such as `postgresql://host/database?schema=name`. Nothing needs to be
    ///   there.
    /// - Throws: `ToolFailure` for a URL that can't be read, or whose servers this build knows nothing of.
    package init(_ string: String) throws {
        guard Self.isServer(string) else {
            self.init(url: URL(fileURLWithPath: string), server: nil)
            return
        }
        // The string may have a password in it, and is repeated in no message.
        guard let url = URL(string: string), url.scheme != nil else {
            throw ToolFailure(
                "The URL of the PostgreSQL database isn't valid; use postgresql://user@host:port/database?schema=name."
            )
        }
        guard let server = NSPersistentStoreCoordinator.remoteStoreClass(for: url) else {
            throw ToolFailure(
                "This build of opencoredata doesn't support PostgreSQL: it was built without the trait PostgreSQL. Build it with "
                    + "swift build --traits CommandLineTool,PostgreSQL.")
        }
        self.init(url: url, server: server)
    }

    /// The address of what is there already: a file has to be one that can be read.
    package init(existing string: String) throws {
        guard Self.isServer(string) else {
            self.init(url: try InputFile.url(string), server: nil)
            return
        }
        try self.init(string)
    }

    /// The address of a URL that was one before.
    package init(url: URL) {
        self.init(url: url, server: NSPersistentStoreCoordinator.remoteStoreClass(for: url))
    }

    private init(url: URL, server: (any RemoteStore.Type)?) {
        self.url = url
        self.server = server
    }

    /// The type of the store, as coordinators have it.
    package var type: String {
        server.flatMap(NSPersistentStoreCoordinator.typeOfStores) ?? StoreFileType.type(ofFileAt: url)
    }

    /// Whether the store is a file of SQLite. Others are read and written as a whole, and keep no model and no history.
    package var isSQLite: Bool { server == nil && type == NSSQLiteStoreType }

    /// Whether stores of its kind have no history: files that each save replaces as a whole.
    package var keepsNoHistory: Bool { type == NSXMLStoreType || type == NSBinaryStoreType }

    /// What to call a store of its kind.
    package var kindName: String {
        switch type {
        case NSXMLStoreType: "an XML store"
        case NSBinaryStoreType: "a binary store"
        case NSSQLiteStoreType: "a SQLite store"
        default: "a store on a server"
        }
    }

    /// The name for sentences: that of a file; of another location all but what could be secret.
    package var name: String { server?.displayName(of: url) ?? url.lastPathComponent }

    /// The whole location for messages: the path of a file; of another location all but what could be secret.
    package var displayName: String { server?.displayName(of: url) ?? url.path }

    /// Looks whether a file is a store, before anything else is said of it. A server is asked anyway.
    package func checkFile() throws {
        if isSQLite { _ = try StoreFacts(url: url) }
    }

    /// What the store says of itself.
    package func metadata() throws -> [String: Any] {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: type, at: url, options: server == nil ? [NSReadOnlyPersistentStoreOption: true] : nil)
    }

    /// What breaks the rules of a store of its kind. Nothing is changed.
    ///
    /// - Parameters:
    ///   - model: The model of the store's data.
    ///   - formerURL: The store whose place this one will take, with its external values.
    ///   - progress: Called with numbers of checks; an error of it ends the work.
    package func findings(
        model: NSManagedObjectModel, replacing formerURL: URL? = nil,
        progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> [StoreFinding] {
        guard let server else {
            // What is read as a whole is known to be sound once it was opened.
            guard isSQLite else { return [] }
            return try StoreChecker.findings(inStoreAt: url, model: model, replacing: formerURL, progress: progress)
        }
        return try server.findings(inStoreAt: url, model: model, options: nil, progress: progress)
    }

    /// Whether the store records its history.
    ///
    /// - Throws: An error if there is no store.
    package func hasHistory() throws -> Bool {
        guard let server else { return try isSQLite && StoreFacts(url: url).hasHistory }
        return try server.hasHistory(ofStoreAt: url, options: nil)
    }
}
