#if Inspector
import Foundation
import HTTPTypes
import OpenCoreData
import StoreTools

/// Saves edits that were seen as a difference before, and takes them back.
///
/// One context keeps what can be undone. An actor, so that edits come one after the other.
actor StoreEditor {
    /// Edits that can be undone.
    private static let levels = 100

    private let store: InspectedStore
    private var context: NSManagedObjectContext?

    init(_ store: InspectedStore) { self.store = store }

    /// What an edit would change. Nothing is saved.
    func preview(_ operations: [EditOperation]) async throws -> JSONValue {
        try checkWritable()
        return try await store.read { try Self.difference(operations, in: $0).json }
    }

    /// Saves an edit, if it still leads to the difference that was reviewed.
    ///
    /// - Throws: ``InspectorError`` with the new difference if the store has changed since, or with the violations.
    func save(_ operations: [EditOperation], digest: String) async throws -> JSONValue {
        try checkWritable()
        let seen = try await store.read { try Self.Seen(Self.difference(operations, in: $0)) }
        guard seen.isValid else {
            throw InspectorError(.unprocessableContent, "The edit violates rules of the model.", details: seen.json)
        }
        guard !seen.isEmpty else {
            throw InspectorError(.conflict, "The edit changes nothing.", details: seen.json)
        }
        guard seen.digest == digest else {
            throw InspectorError(
                .conflict, "The store has changed in the meantime; this is what the edit would do now.",
                details: seen.json)
        }
        return try await inContext { reader, undoManager in
            undoManager.beginUndoGrouping()
            defer { if undoManager.groupingLevel > 0 { undoManager.endUndoGrouping() } }
            do {
                var application = EditApplication(reader)
                try application.apply(operations)
            } catch {
                // The store has changed since the difference was made: what was done halfway must not stay.
                reader.context.rollback()
                throw error
            }
            undoManager.endUndoGrouping()
            return try Self.commit(reader) { undoManager.undo() }
        }
    }

    /// Takes the last edit back.
    func undo() async throws -> JSONValue {
        try checkWritable()
        return try await inContext { reader, undoManager in
            guard undoManager.canUndo else { throw InspectorError(.conflict, "There is nothing to undo.") }
            undoManager.undo()
            return try Self.commit(reader) { undoManager.redo() }
        }
    }

    /// Applies the edit again that was undone last.
    func redo() async throws -> JSONValue {
        try checkWritable()
        return try await inContext { reader, undoManager in
            guard undoManager.canRedo else { throw InspectorError(.conflict, "There is nothing to redo.") }
            undoManager.redo()
            return try Self.commit(reader) { undoManager.undo() }
        }
    }

    // MARK: Parts

    /// A difference as values that may leave the context's queue.
    private struct Seen: Sendable {
        let json: JSONValue
        let digest: String
        let isValid: Bool
        let isEmpty: Bool

        init(_ difference: EditDifference) {
            json = difference.json
            digest = difference.digest
            isValid = difference.isValid
            isEmpty = difference.isEmpty
        }
    }

    private func checkWritable() throws {
        guard store.isWritable else {
            throw InspectorError(.forbidden, "This inspector is read-only; start it with --write to edit.")
        }
    }

    private static func difference(_ operations: [EditOperation], in reader: StoreReader) throws -> EditDifference {
        var application = EditApplication(reader)
        try application.apply(operations)
        return EditDifference(reader.context)
    }

    /// Saves, and reports what was saved; what cannot be saved is taken back.
    private static func commit(_ reader: StoreReader, takeBack: () -> Void) throws -> JSONValue {
        let difference = EditDifference(reader.context)
        do {
            try reader.context.save()
        } catch {
            takeBack()
            throw InspectorError(.conflict, Sentence.string(of: error), details: difference.json)
        }
        let undoManager = reader.context.undoManager
        return [
            "saved": difference.json, "canUndo": .bool(undoManager?.canUndo ?? false),
            "canRedo": .bool(undoManager?.canRedo ?? false),
        ]
    }

    private func inContext(
        _ body: @escaping @Sendable (StoreReader, UndoManager) throws -> JSONValue
    ) async throws -> JSONValue {
        let coordinator = try store.currentCoordinator()
        let context = self.context(of: coordinator)
        guard let file = coordinator.persistentStores.first else {
            throw InspectorError(.serviceUnavailable, "The database has no open store at the moment.")
        }
        return try await context.perform {
            guard let undoManager = context.undoManager else { return .null }
            // What others saved in between must be seen, and is no part of what can be undone.
            undoManager.disableUndoRegistration()
            context.refreshAllObjects()
            undoManager.enableUndoRegistration()
            return try body(StoreReader(context: context, coordinator: coordinator, store: file), undoManager)
        }
    }

    private func context(of coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        if let context, context.persistentStoreCoordinator === coordinator { return context }
        let made = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        made.persistentStoreCoordinator = coordinator
        made.name = "inspector"
        made.transactionAuthor = "inspector"
        let undoManager = UndoManager()
        undoManager.groupsByEvent = false
        undoManager.levelsOfUndo = Self.levels
        made.undoManager = undoManager
        context = made
        return made
    }
}
#endif
