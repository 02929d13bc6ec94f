#if Inspector
import Foundation
import HTTPTypes
import OpenCoreData
import StoreTools

/// Saves edits that were seen as a difference before, and takes them back.
///
/// One context keeps what can be undone. An actor, so that edits come one after the other.
actor StoreEditor {
    private let store: InspectedStore
    private var opened: (context: NSManagedObjectContext, journal: EditJournal)?

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
        let changes = operations.reduce(0) { $0 + $1.changes }
        return try await inContext { reader, journal in
            let undoManager = journal.undoManager
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
            journal.forgetUndone()
            let difference = try Self.commit(reader) { undoManager.undo() }
            let left = try Self.left(by: difference, in: reader, journal)
            journal.add(EditJournal.Entry(changes: changes, left: left))
            return Self.answer(difference, changes, journal)
        }
    }

    /// Takes the last edit back.
    func undo() async throws -> JSONValue {
        try checkWritable()
        return try await inContext { reader, journal in
            guard let entry = journal.lastDone else {
                throw InspectorError(.conflict, "There is nothing to undo.")
            }
            try Self.check(entry, in: reader)
            journal.undoManager.undo()
            let difference = try Self.commit(reader) { journal.undoManager.redo() }
            journal.moveLastToUndone(try Self.left(by: difference, in: reader, journal))
            return Self.answer(difference, entry.changes, journal)
        }
    }

    /// Applies the edit again that was undone last.
    func redo() async throws -> JSONValue {
        try checkWritable()
        return try await inContext { reader, journal in
            guard let entry = journal.lastUndone else {
                throw InspectorError(.conflict, "There is nothing to redo.")
            }
            try Self.check(entry, in: reader)
            journal.undoManager.redo()
            let difference = try Self.commit(reader) { journal.undoManager.undo() }
            journal.moveLastToDone(try Self.left(by: difference, in: reader, journal))
            return Self.answer(difference, entry.changes, journal)
        }
    }

    /// Whether there is an edit to undo or to redo, for pages that are opened later.
    func state() async throws -> JSONValue {
        guard let (context, journal) = opened, context.persistentStoreCoordinator === (try store.currentCoordinator())
        else { return EditJournal().state }
        return await context.perform { journal.state }
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
        return EditDifference(reader.context, gone: application.gone)
    }

    /// The values as the store has them after a step.
    private static func left(
        by difference: EditDifference, in reader: StoreReader, _ journal: EditJournal
    ) throws -> [EditJournal.LeftValue] {
        journal.undoManager.disableUndoRegistration()
        defer { journal.undoManager.enableUndoRegistration() }
        reader.context.refreshAllObjects()
        return try EditJournal.values(changedBy: difference.changes, in: reader)
    }

    private static func check(_ entry: EditJournal.Entry, in reader: StoreReader) throws {
        if let sentence = try EditJournal.overwritten(by: entry, in: reader) {
            throw InspectorError(.conflict, sentence)
        }
    }

    private static func answer(_ saved: EditDifference, _ changes: Int, _ journal: EditJournal) -> JSONValue {
        [
            "saved": saved.json, "changes": JSONValue(changes), "canUndo": .bool(journal.lastDone != nil),
            "canRedo": .bool(journal.lastUndone != nil),
        ]
    }

    /// Saves, and reports what was saved; what cannot be saved is taken back.
    private static func commit(_ reader: StoreReader, takeBack: () -> Void) throws -> EditDifference {
        let difference = EditDifference(reader.context)
        do {
            try reader.context.save()
        } catch {
            takeBack()
            throw InspectorError(.conflict, Sentence.string(of: error), details: difference.json)
        }
        return difference
    }

    private func inContext(
        _ body: @escaping @Sendable (StoreReader, EditJournal) throws -> JSONValue
    ) async throws -> JSONValue {
        let coordinator = try store.currentCoordinator()
        let (context, journal) = self.context(of: coordinator)
        guard let file = coordinator.persistentStores.first else {
            throw InspectorError(.serviceUnavailable, "The database has no open store at the moment.")
        }
        return try await context.perform {
            // What others saved in between must be seen, and is no part of what can be undone.
            journal.undoManager.disableUndoRegistration()
            context.refreshAllObjects()
            journal.undoManager.enableUndoRegistration()
            return try body(StoreReader(context: context, coordinator: coordinator, store: file), journal)
        }
    }

    private func context(
        of coordinator: NSPersistentStoreCoordinator
    ) -> (NSManagedObjectContext, EditJournal) {
        if let opened, opened.context.persistentStoreCoordinator === coordinator { return opened }
        let made = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        made.persistentStoreCoordinator = coordinator
        made.name = "inspector"
        made.transactionAuthor = "inspector"
        let journal = EditJournal()
        made.undoManager = journal.undoManager
        opened = (made, journal)
        return (made, journal)
    }
}
#endif
