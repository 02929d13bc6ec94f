import Foundation

/// What changed since the object was fetched or saved.
extension NSManagedObject {
    /// The implementation of `changedValues`.
    ///
    /// - Parameter all: Whether to include values that were set by `setPrimitiveValue` without a notification. They are
    ///   saved with the others.
    final func valuesThatChanged(all: Bool = false) -> [String: Any] {
        checkConfinement()
        var result: [String: Any] = [:]
        for case let slot? in layout.slots where !slot.isTransient && slotIsChanged(slot) {
            if !all, isUnannounced(slot.index) { continue }
            result[slot.name] = presented(slot, currentValue(slot.index))
        }
        for relationship in layout.relationships where relationship.isToMany {
            if let state = toManyStateIfAny(relationship), state.hasChanges {
                result[relationship.name] = collection(relationship)
            }
        }
        return result
    }

    /// Records that a slot is about to be set without a notification. All values of new objects count as changed.
    final func recordUnannounced(_ index: Int) {
        guard !state.contains(.inserted), !hasEdit(index), extras?.eventValues[index] == nil else { return }
        ensureExtras().unannounced.insert(index)
    }

    /// Called when a change of a slot is announced.
    final func forgetUnannounced(_ index: Int) {
        if let extras, !extras.unannounced.isEmpty { extras.unannounced.remove(index) }
    }

    private final func isUnannounced(_ index: Int) -> Bool {
        extras?.unannounced.contains(index) == true
    }

    /// Whether a slot was set since the last fetch or save to another value than the row's.
    final func slotIsChanged(_ slot: SlotLayout) -> Bool {
        guard hasEdit(slot.index) else { return false }
        let value = currentValue(slot.index)
        if state.contains(.inserted), slab == nil {
            return !value.isEqual(to: slot.index < layout.defaults.count ? layout.defaults[slot.index] : .null)
        }
        // What can't be read is another value for sure.
        guard let saved = readableRowValue(slot.index) else { return true }
        if case .transformed(let box) = value, case .data(let archive) = saved, let attribute = slot.attribute {
            // Compared by the archive: the value that was decoded of it may have been changed in place. Archives of
            // equal values may differ.
            guard let encoded = try? TransformableCoding.encode(box.value, attribute: attribute) else { return true }
            if encoded == archive { return false }
            guard let new = slot.any(from: .data(encoded)), let old = slot.any(from: saved) else { return true }
            return !PropertyValue.transformed(TransformedValue(new)).isEqual(to: .transformed(TransformedValue(old)))
        }
        if case .object(let object) = value, case .reference(let target) = saved, target.reference < 0 {
            // The row may be from before the parent's object was saved, with the number that it had then.
            return ownContext?.object(for: target, near: self) !== object
        }
        return !value.isEqual(to: saved)
    }

    /// What `changedValuesForCurrentEvent` does.
    final func valuesBeforeEvent() -> [String: Any] {
        guard let extras else { return [:] }
        var result: [String: Any] = [:]
        for (index, value) in extras.eventValues {
            if let slot = layout.slots[index] { result[slot.name] = presented(slot, value) }
        }
        return result
    }

    /// What `committedValues` does.
    final func lastSavedValues(forKeys keys: [String]?) -> [String: Any] {
        prepareToRead()
        guard slab != nil else { return [:] }
        var result: [String: Any] = [:]
        let wanted = keys.map(Set.init)
        for case let slot? in layout.slots where !slot.isTransient && wanted?.contains(slot.name) != false {
            result[slot.name] = presented(slot, rowValue(slot.index))
        }
        for relationship in layout.relationships
        where relationship.isToMany && wanted?.contains(relationship.name) != false {
            if wanted == nil, toManyStateIfAny(relationship)?.members == nil { continue }
            let committed = loadedState(relationship).committed ?? MemberList()
            result[relationship.name] =
                relationship.isOrdered
                ? NSOrderedSet(array: Array(committed.objects)) as Any : Set(committed.objects) as Any
        }
        return result
    }

    /// What `hasPersistentChangedValues` does.
    final var differsFromSaved: Bool {
        if state.contains(.deleted) { return true }
        if state.contains(.inserted), slab == nil { return true }
        for case let slot? in layout.slots where !slot.isTransient && slotIsChanged(slot) { return true }
        return layout.relationships.contains {
            $0.isToMany && !$0.isTransient && toManyStateIfAny($0)?.hasChanges == true
        }
    }

    private func presented(_ slot: SlotLayout, _ value: PropertyValue) -> Any {
        switch value {
        case .reference: ownContext.flatMap { context in destination(of: value, in: context) } ?? NSNull()
        default: slot.any(from: value) ?? NSNull()
        }
    }

    private func destination(of value: PropertyValue, in context: NSManagedObjectContext) -> NSManagedObject? {
        guard case .reference(let target) = value else { return nil }
        return context.object(for: target, near: self)
    }
}

extension PropertyValue {
    /// Whether two values are the same to a store. An object equals a reference to it.
    func isEqual(to other: PropertyValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.data(let left), .data(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.uri(let left), .uri(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left.value == right.value
        case (.reference(let left), .reference(let right)): left.reference == right.reference
        case (.object(let left), .object(let right)): left === right
        case (.object(let object), .reference(let target)), (.reference(let target), .object(let object)):
            object.reference == target.reference
        case (.transformed(let left), .transformed(let right)):
            left === right || CollectionEquality.areEqual(left.value, right.value)
        default: false
        }
    }
}
