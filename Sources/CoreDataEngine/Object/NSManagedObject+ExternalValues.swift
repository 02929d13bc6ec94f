import Foundation

/// Values that can't be read: they are in files of their own that are gone, or damaged.
extension NSManagedObject {
    /// What the row has; `nil` when it is in a file that can't be read.
    final func readableRowValue(_ index: Int) -> PropertyValue? {
        guard let slab, slab.hasValues, let slot = layout.slots[index] else { return .null }
        return try? slab.value(Int(row), slot)
    }

    /// The value of a slot now; `nil` when it is in a file that can't be read.
    final func readableValue(_ index: Int) -> PropertyValue? {
        if state.contains(.fault) { fireFault() }
        return edit(index) ?? readableRowValue(index)
    }

    /// What the row has, to be written elsewhere.
    ///
    /// - Throws: An error with the object and the file, when it is in a file that can't be read.
    final func rowValueToWrite(_ index: Int) throws -> PropertyValue {
        guard let slab, slab.hasValues, let slot = layout.slots[index] else { return .null }
        do {
            return try slab.value(Int(row), slot)
        } catch {
            throw unreadable(slot, error)
        }
    }

    /// What represents a value whose file can't be read: that of the newest row.
    ///
    /// The object keeps its row and its version, so that a save of it meets the change as a conflict. Where the newest
    /// row names the same file, there is no value, and the context records the error.
    @inline(never)
    final func newestRowValue(_ slot: SlotLayout, insteadOf error: any Error) -> PropertyValue {
        guard let context = ownContext else { return .null }
        guard context.parent == nil, reference >= 0, let store = table?.store as? any RowStore else {
            context.unreadable.record(self, slot, unreadable(slot, error))
            return .null
        }
        // The newest row may be changed again while its file is looked for.
        for _ in 0..<3 {
            let rows = try? context.reading(store) {
                try store.fetchRows(
                    references: [reference], entity: layout.root, includesValues: true, for: context)
            }
            guard let rows else { break }
            guard rows.count > 0 else {
                context.unreadable.recordRead(unreadable(slot, error))
                return .null
            }
            if let value = try? rows.value(0, slot) { return value }
        }
        context.unreadable.record(self, slot, unreadable(slot, error))
        return context.unreadable.toleratesDamage ? slab?.soundPart(Int(row), slot) ?? .null : .null
    }

    /// What represents a slot that is null in the row: nothing, unless what the store has there is damaged. Then it is
    /// what the newest row has, or the context records the error.
    @inline(__always)
    final func valueInsteadOfNull(_ index: Int) -> PropertyValue {
        slab?.damage == nil ? .null : rowValue(index)
    }

    /// Whether what the store has for a slot is damaged, and wasn't replaced.
    final func hasDamage(_ slot: SlotLayout) -> Bool {
        guard let slab, slab.damage != nil, !hasEdit(slot.index) else { return false }
        return slab.isDamaged(Int(row), slot.index)
    }

    /// The sound elements of a damaged composite attribute, one of whose elements is about to be replaced.
    ///
    /// - Returns: nil when another element is damaged. A save would write nothing in its place, so the context records an
    ///   error instead.
    final func soundElements(of slot: SlotLayout, besides keyPath: String) -> [String: Any]? {
        guard let slab, let damage = slab.damage else { return nil }
        let others = damage[Int(row), slot.index].filter {
            $0.property != keyPath && !$0.property.hasPrefix(keyPath + ".")
        }
        if let first = others.first {
            ownContext?.unreadable.recordKept(self, slot, unreadable(slot, first.error))
            return nil
        }
        return slot.any(from: slab.soundPart(Int(row), slot)) as? [String: Any] ?? [:]
    }

    private func unreadable(_ slot: SlotLayout, _ error: any Error) -> CocoaError {
        let error = error as NSError
        return CoreDataError.make(
            error.domain == NSCocoaErrorDomain ? error.code : CocoaError.Code.fileReadUnknown.rawValue,
            "\(slot.name) of \(layout.name) \(objectID.uriRepresentation().absoluteString) has no readable value. "
                + error.localizedDescription,
            path: error.userInfo[NSFilePathErrorKey] as? String, underlying: error,
            userInfo: [NSAffectedObjectsErrorKey: [self]])
    }
}
