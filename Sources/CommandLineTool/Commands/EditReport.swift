#if CommandLineTool
import Foundation
import OpenCoreData
import StoreTools

/// Ends a command that edited: shows the changes, and saves them unless told otherwise.
struct EditReport {
    /// What becomes of the changes once they are shown.
    enum Ending {
        case saving
        /// Nothing is saved, which the words say why.
        case showing(String)
        /// Saved if the user says yes.
        case asking

        /// What becomes of the changes of objects that a predicate has found, which may be more than the user thinks:
        /// a person is asked, and a script has to say `--yes`.
        static func ofFound(dryRun: Bool, yes: Bool) -> Ending {
            if dryRun { return .dryRun }
            if yes { return .saving }
            return Question.canBeAsked ? .asking : .showing("Nothing was saved; use --yes to save this.")
        }

        static let dryRun = Ending.showing("Nothing was saved (--dry-run).")

        /// What the store has to be opened for.
        var access: StoreSession.Access {
            if case .showing = self { return .reading }
            return .writing
        }
    }

    /// The most lines that a terminal shows.
    private static let linesOnScreen = 50

    private let session: StoreSession
    private let ending: Ending

    init(_ session: StoreSession, _ ending: Ending) {
        self.session = session
        self.ending = ending
    }

    /// Edits in the store's context, shows the changes, and saves them unless told otherwise. A signal stops it until it
    /// begins to save.
    ///
    /// - Throws: What editing and saving throw; nothing was changed then.
    func run(_ edit: (NSManagedObjectContext) throws -> Void) throws {
        let output = OutputSink()
        let changes: ChangeSet
        do {
            changes = try Interruption.stopping("Nothing was changed.") {
                try session.perform { context in
                    try edit(context)
                    return try end(context, output)
                }
            }
        } catch is Refused {
            return StandardError.writeLine("Nothing was changed.")
        } catch let nothing as NothingFound {
            try output.writeLine("No objects of \(nothing.entity) match.")
            return try output.finish()
        }
        if case .asking = ending {} else { try print(changes, to: output) }
        if case .showing(let sentence) = ending, !changes.lines.isEmpty { try output.writeLine(sentence) }
        try output.finish()
    }

    /// No object matches the predicate, which isn't a failure.
    struct NothingFound: Error {
        let entity: String
    }

    /// The user has said no.
    private struct Refused: Error {}

    private func end(_ context: NSManagedObjectContext, _ output: OutputSink) throws -> ChangeSet {
        context.processPendingChanges()
        if case .showing = ending {
            let changes = ChangeSet(of: context)
            try Self.validate(context)
            try UniquenessCheck().check(context)
            context.rollback()
            return changes
        }
        if !context.insertedObjects.isEmpty {
            // What isn't valid shall use up no number.
            try Self.validate(context)
            try context.obtainPermanentIDs(for: Array(context.insertedObjects))
        }
        let changes = ChangeSet(of: context)
        if case .asking = ending {
            try Self.validate(context)
            try UniquenessCheck().check(context)
            try print(changes, to: output)
            try output.finish()
            guard try changes.lines.isEmpty || Question.ask("Save this?") else { throw Refused() }
        }
        if !changes.lines.isEmpty { try CancellableRead.withoutStopping { try context.save() } }
        return changes
    }

    private func print(_ changes: ChangeSet, to output: OutputSink) throws {
        let limit = output.isTerminal ? Self.linesOnScreen : Int.max
        for line in changes.lines.prefix(limit) { try output.writeLine(line) }
        if changes.lines.count > limit { try output.writeLine("… and \(changes.lines.count - limit) more lines") }
        if changes.lines.isEmpty { try output.writeLine("Nothing changes.") }
        if changes.objectCount > 1 { try output.writeLine(changes.summary) }
    }

    /// What a save would check before it writes.
    private static func validate(_ context: NSManagedObjectContext) throws {
        for object in context.insertedObjects { try object.validateForInsert() }
        for object in context.updatedObjects { try object.validateForUpdate() }
        for object in context.deletedObjects { try object.validateForDelete() }
    }
}
#endif
