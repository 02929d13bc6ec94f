import Foundation

/// Reading and writing slots: what every accessor ends in.
extension NSManagedObject {
    /// The value of a slot now; an object that is not in the context is not made for a to-one.
    @inline(__always)
    final func slotValue(_ index: Int) -> PropertyValue {
        prepareToRead()
        return currentValue(index)
    }

    /// As `slotValue`, but a fault stays one and has only its edits and its row.
    final func currentValue(_ index: Int) -> PropertyValue {
        if extras != nil, let value = edit(index) { return value }
        return rowValue(index)
    }

    /// What the row has, edits left aside.
    final func rowValue(_ index: Int) -> PropertyValue {
        guard let slab, slab.hasValues, let slot = layout.slots[index] else { return .null }
        do {
            return try slab.value(Int(row), slot)
        } catch {
            return newestRowValue(slot, insteadOf: error)
        }
    }

    /// The edit that stands before the row, if there is one.
    final func edit(_ index: Int) -> PropertyValue? {
        guard let extras, index < extras.values.count else { return nil }
        return extras.values[index]
    }

    /// Whether the slot has an edit that stands before the row.
    @inline(__always)
    final func hasEdit(_ index: Int) -> Bool {
        guard let extras, index < extras.values.count else { return false }
        return extras.values[index] != nil
    }

    final func ensureExtras() -> ObjectExtras {
        if let extras { return extras }
        let made = ObjectExtras()
        extras = made
        return made
    }

    /// Puts a value into the edits without any tracking.
    final func setEdit(_ index: Int, _ value: PropertyValue?) {
        let extras = ensureExtras()
        if extras.values.isEmpty {
            extras.values = ContiguousArray(repeating: nil, count: layout.slotCount)
        }
        extras.values[index] = value
        markRowWord()
    }

    /// Sets an attribute's slot as an application's write: fires the fault, tracks the change.
    final func setAttribute(_ index: Int, _ value: PropertyValue) {
        if state.contains(.fault) { fireFault() }
        if observesChanges {
            return changing(index) {
                recordChange(ofSlot: index)
                setEdit(index, value)
            }
        }
        recordChange(ofSlot: index)
        setEdit(index, value)
    }

    /// Called before a slot gets another value: makes the object one that is to be saved.
    final func recordChange(ofSlot index: Int) {
        if state.contains(.untracked) { return }
        announceChange(layout.slots[index]?.name)
        if isPlainlyNew { return }
        ownContext?.willChange(self, slot: index)
    }

    /// Whether the object is new, its insertion yet to be announced, and its context does nothing with its changes.
    @inline(__always)
    final var isPlainlyNew: Bool {
        isNewInEvent && table?.registry.seesEachChange == false
    }

    /// Runs a block whose changes leave the object as clean as it was.
    final func withoutTracking(_ body: () -> Void) {
        let was = state.contains(.untracked)
        state.insert(.untracked)
        body()
        if !was { state.remove(.untracked) }
    }

    /// The values of a realized object as a string, for `description`.
    final var describedValues: String {
        var parts: [String] = []
        for case let slot? in layout.slots {
            let value = currentValue(slot.index)
            switch value {
            case .null: parts.append("\(slot.name) = nil")
            case .reference(let target): parts.append("\(slot.name) = \(target.reference)")
            case .object(let object): parts.append("\(slot.name) = \(object.objectID)")
            default: parts.append("\(slot.name) = \(ValueDescription.string(of: slot.any(from: value)))")
            }
        }
        for relationship in layout.relationships where relationship.isToMany {
            if let members = toManyStateIfAny(relationship)?.members {
                parts.append("\(relationship.name) = \(members.objects.map(\.objectID))")
            } else {
                parts.append("\(relationship.name) = <relationship fault>")
            }
        }
        return "{\n    " + parts.joined(separator: ";\n    ") + ";\n}"
    }
}
