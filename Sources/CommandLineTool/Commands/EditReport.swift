#if CommandLineTool
    import OpenCoreData
    import StoreTools

    /// Ends a command that edited: shows the changes, and saves them unless told otherwise.
    struct EditReport {
        let context: NSManagedObjectContext

        func finish(dryRun: Bool) throws {
            let changes = ChangeSet(of: context)
            if dryRun {
                try validate()
                context.rollback()
            } else if !changes.lines.isEmpty {
                try context.save()
            }
            let output = OutputSink()
            for line in changes.lines { try output.writeLine(line) }
            if changes.lines.isEmpty { try output.writeLine("Nothing changes.") }
            if dryRun, !changes.lines.isEmpty { try output.writeLine("Nothing was saved (--dry-run).") }
            try output.finish()
        }

        /// What a save would check before it writes.
        private func validate() throws {
            for object in context.insertedObjects { try object.validateForInsert() }
            for object in context.updatedObjects { try object.validateForUpdate() }
            for object in context.deletedObjects { try object.validateForDelete() }
        }
    }
#endif
