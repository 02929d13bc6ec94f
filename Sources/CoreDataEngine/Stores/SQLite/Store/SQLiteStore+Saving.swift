import Foundation

extension SQLiteStore {
    package func allocateReferences(count: Int, root: EntityLayout) throws -> Int64 {
        let runtime = try writableRuntime()
        guard let table = runtime.schema.entity(for: root.root.entity)?.table else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError, "The entity \(root.root.name) is not kept in this store.")
        }
        let group = runtime.pool.isWriting ? group : nil
        if group?.keepsReferences == true, let first = runtime.references.takeReserved(count, table: table) {
            return first
        }
        return try (group?.references ?? runtime.references).take(count, table: table, pool: runtime.pool)
    }

    package func execute(_ plan: SavePlan) throws -> SaveOutcome {
        let metadata = pendingMetadata()
        if plan.isEmpty, metadata == nil { return .saved(derived: []) }
        let runtime = try writableRuntime()
        let files = ExternalFiles(runtime)
        var group: SaveGroup?
        let outcome: SaveOutcome
        do {
            outcome = try runtime.pool.write { connection in
                group = try currentGroup(in: connection)
                let part = try connection.beginPart(isLast: group?.takeEnd() ?? false)
                do {
                    return try run(
                        plan, metadata: metadata, files: files, runtime: runtime, connection: connection, part: part)
                } catch {
                    connection.rollback(part)
                    throw error
                }
            }
        } catch {
            files.didFail()
            throw error
        }
        guard case .saved = outcome else {
            files.didFail()
            runtime.pool.work.addConflict()
            return outcome
        }
        if let group {
            group.add(files)
        } else {
            files.didSave()
            runtime.removeUnusedFiles(ifDue: true)
        }
        if let metadata { didWrite(metadata) }
        return outcome
    }

    /// Writes a plan in an open transaction and ends the transaction.
    private func run(
        _ plan: SavePlan, metadata: PendingMetadata?, files: ExternalFiles, runtime: StoreRuntime,
        connection: SQLiteConnection, part: SQLiteConnection.Part
    ) throws -> SaveOutcome {
        // What an earlier save that failed left behind is not ours.
        _ = connection.affectedValues.take()
        try files.recordReplaced(by: plan, store: runtime.mapping, connection: connection)
        // Values of deleted rows that history keeps must be read while the rows are there.
        let history =
            try runtime.history.isRecording
            ? HistoryWriter(plan: plan, store: runtime.mapping, connection: connection, presence: runtime.history) : nil
        let executor = SaveExecutor(
            plan: plan, store: runtime.mapping, forms: runtime.saveStatements, connection: connection,
            externalData: files.encode)
        try executor.run()
        guard executor.conflicts.isEmpty, executor.waiting.isEmpty else {
            let violations = try executor.violations()
            connection.rollback(part)
            return try .blocked(by: executor.conflicts, violations, in: self)
        }
        let affected = try runtime.derivedSums.settled(connection.affectedValues.take(), in: connection)
        let transaction = try history?.write()
        if let metadata { try StoreFile.setMetadata(metadata.values, in: connection) }
        try connection.commit(part, files.willCommit)
        return .saved(
            derived: derivedChanges(affected, runtime) + RoundedDecimals.changes(in: plan, store: shortName),
            transaction: transaction)
    }

    // MARK: Derived values

    /// What triggers computed, as values of slots. The last value of a slot counts.
    private func derivedChanges(_ changes: [AffectedValues.Change], _ runtime: StoreRuntime) -> [DerivedChange] {
        var result: [DerivedChange] = []
        var indexes: [DerivedKey: Int] = [:]
        for change in changes {
            guard let entity = runtime.mapping.entity(number: change.entity)?.layout,
                let slot = entity.slot(named: change.property)
            else { continue }
            let derived = DerivedChange(
                entity: entity, reference: change.primaryKey, slot: slot.index,
                value: PropertyValue(change.value, kind: slot.kind))
            let key = DerivedKey(root: entity.root.index, reference: change.primaryKey, slot: slot.index)
            if let known = indexes[key] {
                result[known] = derived
            } else {
                indexes[key] = result.count
                result.append(derived)
            }
        }
        return result
    }
}

private struct DerivedKey: Hashable {
    var root: Int
    var reference: Int64
    var slot: Int
}

extension PropertyValue {
    /// A value of a column in the form that slots of a kind have.
    package init(_ value: SQLValue, kind: SlotKind) {
        switch (value, kind) {
        case (.null, _): self = .null
        case (.integer(let integer), .double), (.integer(let integer), .float), (.integer(let integer), .date):
            self = .double(Double(integer))
        case (.integer(let integer), .decimal): self = .decimal(DecimalBox(Decimal(integer)))
        case (.integer(let integer), .string): self = .string(String(integer))
        case (.integer(let integer), _): self = .integer(integer)
        case (.real(let real), .decimal):
            self = Decimal(shortestString: SQLNumber.string(of: real)).map { .decimal(DecimalBox($0)) } ?? .null
        case (.real(let real), .integer16), (.real(let real), .integer32), (.real(let real), .integer64),
            (.real(let real), .boolean):
            self = Int64(exactly: real.rounded()).map { .integer($0) } ?? .double(real)
        case (.real(let real), _): self = .double(real)
        case (.text(let string), .uri): self = URL(string: string).map { .uri($0) } ?? .null
        case (.text(let string), .uuid): self = UUID(uuidString: string).map { .uuid($0) } ?? .null
        case (.text(let string), .decimal):
            self = Decimal(shortestString: string).map { .decimal(DecimalBox($0)) } ?? .null
        case (.text(let string), _): self = .string(string)
        case (.blob(let data), .uuid):
            self =
                data.count == 16
                ? .uuid(data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }) : .null
        case (.blob(let data), _): self = .data(data)
        }
    }
}
