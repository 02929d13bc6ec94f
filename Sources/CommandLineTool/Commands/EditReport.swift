#if CommandLineTool
    import OpenCoreData
    import StoreTools

    /// Ends a command that edited: shows the changes, and saves them unless told otherwise.
    struct EditReport {
        private let changes: ChangeSet
        private let isDryRun: Bool

        /// Edits in a store's context, and saves unless told otherwise. A signal stops it until it begins to save.
        ///
        /// - Throws: What editing and saving throw; nothing was changed then.
        init(
            _ session: StoreSession, dryRun: Bool, _ edit: (NSManagedObjectContext) throws -> Void
        ) throws {
            isDryRun = dryRun
            changes = try Interruption.stopping("Nothing was changed.") {
                try session.perform { context in
                    try edit(context)
                    let changes = ChangeSet(of: context)
                    if dryRun {
                        try Self.validate(context)
                        context.rollback()
                    } else if !changes.lines.isEmpty {
                        try CancellableRead.withoutStopping { try context.save() }
                    }
                    return changes
                }
            }
        }

        /// Shows what changed.
        func print() throws {
            let output = OutputSink()
            for line in changes.lines { try output.writeLine(line) }
            if changes.lines.isEmpty { try output.writeLine("Nothing changes.") }
            if isDryRun, !changes.lines.isEmpty { try output.writeLine("Nothing was saved (--dry-run).") }
            try output.finish()
        }

        /// What a save would check before it writes.
        private static func validate(_ context: NSManagedObjectContext) throws {
            for object in context.insertedObjects { try object.validateForInsert() }
            for object in context.updatedObjects { try object.validateForUpdate() }
            for object in context.deletedObjects { try object.validateForDelete() }
        }
    }
#endif
