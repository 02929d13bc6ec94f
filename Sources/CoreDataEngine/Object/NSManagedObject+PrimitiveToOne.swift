/// Keeping the inverse of a to-one that is set by `setPrimitiveValue` between `willChangeValue` and `didChangeValue`.
extension NSManagedObject {
    /// Notes what a to-one leads to before an application changes it.
    final func recordFormerDestination(_ slot: SlotLayout) {
        guard slot.relationship?.inverse != nil, !state.contains(.untracked) else { return }
        let former = destinationWithoutFiring(slot)
        let extras = ensureExtras()
        // The outermost of nested calls counts.
        if extras.formerDestinations[slot.index] == nil {
            extras.formerDestinations.updateValue(former, forKey: slot.index)
        }
    }

    final func forgetFormerDestination(_ index: Int) {
        if let extras, !extras.formerDestinations.isEmpty { extras.formerDestinations[index] = nil }
    }

    /// Moves the inverse if the to-one leads to another object than before `willChangeValue`.
    final func keepInverse(of slot: SlotLayout) {
        guard let former = extras?.formerDestinations.removeValue(forKey: slot.index) else { return }
        let destination = destinationWithoutFiring(slot)
        guard former !== destination else { return }
        guard let destination else { return moveInverse(of: slot, from: former, to: nil) }
        do {
            try slot.relationship?.check(destination)
        } catch {
            // As for a write by key: the former value stays, and validation reports the wrong one.
            setEdit(slot.index, former.map { .object($0) } ?? .null)
            refuse(destination, forKey: slot.name, error)
            return
        }
        guard checkSameContext(destination, slot.name) else { return setToOne(slot, destination.original) }
        moveInverse(of: slot, from: former, to: destination)
    }

    /// Notes that a to-one was set with its inverse since `willChangeValue`.
    final func renewFormerDestination(_ slot: SlotLayout, _ destination: NSManagedObject?) {
        guard let extras, extras.formerDestinations[slot.index] != nil else { return }
        extras.formerDestinations.updateValue(destination, forKey: slot.index)
    }
}
