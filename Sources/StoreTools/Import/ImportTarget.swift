package import Foundation
import OpenCoreData

/// The store that an import fills: with all objects, or not at all.
package struct ImportTarget {
    package let url: URL
    private let source: ModelSource
    private let isNew: Bool
    private let objectClass: NSManagedObject.Type

    /// Looks at what is at `path`: a store, or the place for a new one.
    ///
    /// The objects are of a class that lets mandatory relationships wait until all objects are there. The store keeps the
    /// classes of the application.
    ///
    /// - Parameters:
    ///   - modelPath: A model; nil for the store's own, or for a new store the one that `input` contains.
    ///   - skipsValidation: Whether objects are imported that the model does not allow.
    package init(path: String, modelPath: String?, input: ImportInput? = nil, skipsValidation: Bool = false) throws {
        isNew = try Self.isFree(path)
        objectClass = skipsValidation ? UnvalidatedObject.self : ImportedObject.self
        if isNew {
            let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
            guard FileManager.default.fileExists(atPath: folder) else {
                throw ToolFailure("The store \(path) can't be created: its folder does not exist.")
            }
        }
        url = isNew ? URL(fileURLWithPath: path) : try InputFile.url(path)
        if isNew, modelPath == nil {
            guard let input, let model = try input.containedModel() else {
                throw ToolFailure(
                    "There is no store at \(path), and the input contains no model; to create the store, name its model "
                        + "with --model.")
            }
            source = ModelSource(model: model, origin: .file(URL(fileURLWithPath: input.name)))
        } else {
            source = try ModelSource(storeURL: url, modelPath: modelPath)
        }
    }

    /// The name, for messages.
    package var name: String { url.lastPathComponent }

    /// What became of the store when the import did not succeed, as a sentence.
    package var outcome: String { Self.outcome(at: url, isNew: isNew) }

    /// The same for an import that did not come as far as to have a target.
    package static func outcome(at url: URL, isNew: Bool) -> String {
        isNew
            ? "Nothing was imported, and no store was created."
            : "Nothing was imported; the store \(url.lastPathComponent) is unchanged."
    }

    /// Runs a block that fills the store. When it throws, everything is as it was, which also holds when the process dies.
    package func fill<Result>(_ body: (StoreSession) throws -> Result) throws -> Result {
        isNew ? try fillNewStore(body) : try fillOldStore(body)
    }

    /// In one transaction, for the time of which nobody else writes.
    private func fillOldStore<Result>(_ body: (StoreSession) throws -> Result) throws -> Result {
        let session = try StoreSession(url: url, source: source, access: .writing, objectClass: objectClass)
        return try closing(session) {
            guard let store = session.store as? SQLiteStore else {
                throw ToolFailure("The store \(url.path) isn't a SQLite store.")
            }
            return try store.savingTogether { try body(session) }
        }
    }

    /// In a file of its own, which gets the store's name when it is complete.
    private func fillNewStore<Result>(_ body: (StoreSession) throws -> Result) throws -> Result {
        let exchange = try StoreExchange(at: url)
        defer { exchange.close() }
        do {
            let session = try StoreSession(
                url: exchange.draft, source: source, access: .writing, objectClass: objectClass)
            let result = try closing(session) { try body(session) }
            try keepModel(in: exchange.draft)
            guard try Self.isFree(url.path) else {
                throw ToolFailure("Somebody else has created a store at \(url.path) in the meantime.")
            }
            try exchange.exchange(leftBehind: [])
            return result
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw ToolFailure("The store \(url.path) cannot be written: the disk is full.")
        }
    }

    /// Gives the new store a copy of the model with the classes of the application, which it was not filled with.
    private func keepModel(in draft: URL) throws {
        let model = try source.model.encodedModelCache()
        do {
            let connection = try SQLiteConnection(path: draft.path, configuration: .init(access: .readWrite))
            defer { connection.close() }
            try connection.transaction { try StoreFile.setModelCache(model, in: connection) }
        } catch let error as SQLiteError {
            throw error.cocoaError(while: .saving)
        }
    }

    private func closing<Result>(_ session: StoreSession, _ body: () throws -> Result) throws -> Result {
        let result: Result
        do {
            result = try body()
        } catch {
            // What failed first counts.
            try? session.coordinator.remove(session.store)
            throw error
        }
        try session.coordinator.remove(session.store)
        return result
    }

    /// Whether nothing is at a path, nor a log that SQLite would take for that of a new store.
    package static func isFree(_ path: String) throws -> Bool {
        do throws(SystemFailure) {
            guard try FileFacts(path: path) == nil else { return false }
            for suffix in ["-wal", "-journal"] {
                if try FileFacts(path: path + suffix) != nil { throw SystemFailure(number: EEXIST) }
            }
            return true
        } catch {
            guard error.number == EEXIST else {
                throw ToolFailure("The store \(path) can't be created: \(error).")
            }
            throw ToolFailure(
                "There is no store at \(path), but there is the log of one. "
                    + "Remove \(path)-wal and \(path)-journal first, or restore the store.")
        }
    }
}
