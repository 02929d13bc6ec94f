import Foundation

/// From fault to object and back.
extension NSManagedObject {
    /// What every read begins with: fires the fault, and stops a program off the queue that asked for that.
    @inline(__always)
    final func prepareToRead() {
        if !state.isDisjoint(with: .unready) { becomeReady() }
    }

    @inline(never)
    private func becomeReady() {
        checkConfinement()
        fireFault()
    }

    /// Stops a program that asked for that when the caller is not on the queue of the object's context.
    final func checkConfinement() {
        if state.contains(.confined) { ownContext?.checkQueueClosely(description) }
    }

    /// Gets the values of a fault and says so to `awakeFromFetch`.
    ///
    /// An object whose row can't be read stays a fault, see `FailedReads`.
    final func fireFault() {
        guard state.contains(.fault) else { return }
        if rowValues == nil || table?.registry.watchesAge == true {
            // What was read along may have led back here.
            guard loadMissingRow(), state.contains(.fault) else { return }
        }
        realize()
    }

    /// Makes a fault that has its row, or was found to have none, an object.
    final func realize() {
        guard !state.contains(.inaccessible), table != nil else {
            state.remove(.fault)
            return
        }
        let wasUntracked = state.contains(.untracked)
        becomeRealized()
        awakeFromFetch()
        if !wasUntracked { trackChanges() }
    }

    /// - Returns: Whether all that there is to know of the row is known now.
    @inline(never)
    private func loadMissingRow() -> Bool {
        guard let context = ownContext, context.needsRow(self) else { return true }
        return context.loadRow(of: self)
    }

    /// Whether the object is a fault whose values are not in memory. After the fault was fired: because they can't be
    /// read.
    final var isUnread: Bool { state.contains(.fault) && rowValues == nil }

    /// Makes the object a fault again.
    ///
    /// - Parameters:
    ///   - keepingRow: Whether the values that are in memory may be used when the fault fires again.
    ///   - keepingTransients: Whether the values of transient attributes stay.
    final func turnIntoFault(keepingRow: Bool = true, keepingTransients: Bool = false) {
        guard !state.contains(.fault) else {
            if !keepingRow { dropRow() }
            dropExtras()
            return
        }
        willTurnIntoFault()
        let transients = keepingTransients && layout.hasTransientSlots ? transientValues() : nil
        dropExtras()
        if let transients {
            ensureExtras().values = transients
            markRowWord()
        }
        if !keepingRow { dropRow() }
        state.insert(.fault)
        state.remove(.inaccessible)
        didTurnIntoFault()
    }

    /// Releases the destinations of this object's relationships after its context was released.
    final func releaseDestinations() {
        guard let extras else { return }
        extras.relationships = []
        for index in extras.values.indices {
            if case .object = extras.values[index] { extras.values[index] = nil }
        }
    }

    /// The values of transient attributes that were set, by slot; nil without any.
    private func transientValues() -> ContiguousArray<PropertyValue?>? {
        guard let values = extras?.values, !values.isEmpty else { return nil }
        let kept = layout.slotInfos.filter { $0.isTransient && values[$0.index] != nil }
        guard !kept.isEmpty else { return nil }
        var transients = ContiguousArray<PropertyValue?>(repeating: nil, count: values.count)
        for info in kept { transients[info.index] = values[info.index] }
        return transients
    }

    /// Releases everything but the observers of its changes.
    private func dropExtras() {
        guard let former = extras else { return }
        if let observer = former.changeObserver { makeFreshExtras().changeObserver = observer } else { extras = nil }
        #if Publishers
        if let publisher = former.changePublisher { (extras ?? makeFreshExtras()).changePublisher = publisher }
        #endif
    }

    private func makeFreshExtras() -> ObjectExtras {
        let fresh = ObjectExtras()
        extras = fresh
        return fresh
    }

    private func dropRow() {
        setRow(nil, 0)
    }

    /// Takes another row as what the store has.
    final func adopt(_ slab: RowSlab, row: Int) {
        setRow(slab, row)
        guard let extras else { return }
        if !extras.decoded.isEmpty { extras.decoded = [:] }
        if !extras.unannounced.isEmpty { extras.unannounced = [] }
    }

    /// The version of the row that this object is based on.
    final var version: Int64 { slab?.version(Int(row)) ?? 0 }
}
