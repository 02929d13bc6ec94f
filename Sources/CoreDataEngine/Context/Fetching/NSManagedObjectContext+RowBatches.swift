extension NSManagedObjectContext {
    /// Gets the rows of a batch, and lets those of an older one go.
    ///
    /// - Returns: Whether the object that fired has its row, or is known to have none.
    final func loadBatch(_ batches: RowBatches, _ slab: RowSlab, with object: NSManagedObject) -> Bool {
        guard let table = object.table else { return true }
        let row = Int(object.row)
        var others: [NSManagedObject] = []
        if faultsFireForCohort, table.readsAhead {
            others = faults(batches.rows(with: row, of: slab), of: slab, in: table).filter { $0 !== object }
        }
        guard load(object, with: &others) else { return false }
        // Noted now: what is called below may have rows go again.
        let isMissing = object.slab?.hasValues != true
        let missing = others.map { $0.slab?.hasValues != true }
        if let old = batches.record(row: row, of: slab) { letGo(old, of: slab, in: table) }
        if isMissing { handleMissingRow(of: object) }
        if batches.realizes { realize(others, missing: missing) }
        guard !batches.prefetched.isEmpty else { return true }
        do {
            try prefetch(batches.prefetched, [object] + others, object.layout)
        } catch {
            failedReads.record(error)
        }
        return true
    }

    /// Realizes faults whose rows were read together. Rows that are missing aren't read again, so that they don't bring
    /// the others here a second time.
    private func realize(_ faults: [NSManagedObject], missing: [Bool]) {
        for (fault, isMissing) in zip(faults, missing) where fault.state.isFault && !fault.state.contains(.firing) {
            if isMissing {
                handleMissingRow(of: fault)
            } else if fault.rowValues == nil {
                continue
            }
            if fault.state.isFault { fault.realize() }
        }
    }

    /// Makes objects faults without values again: those without unsaved changes that nothing but the array holds.
    private func letGo(_ rows: Range<Int>, of slab: RowSlab, in table: RegistryTable) {
        var last: RowSlab?
        for row in rows {
            guard let object = table.objectHeldOnce(for: slab.reference(row)), !object.state.hasChanges,
                !object.state.contains(.firing),
                let values = object.slab, values !== slab, values.hasValues
            else { continue }
            if values !== last {
                cohorts.forget(values)
                last = values
            }
            object.turnIntoFault()
            object.adopt(slab, row: row)
        }
    }
}
