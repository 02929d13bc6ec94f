import Foundation

/// Settles one uniqueness conflict by one of the standard rules.
///
/// A new object collapses onto the stored row: it becomes the object of the row, with the row's identifier, keeps its
/// relationships, and takes values as the rule says. Where that can't be, because the context has an object for the row
/// already or the row is of another entity, the row's object stays: it takes the new one's values and relationships, and
/// the new one is deleted, which means that it is never written. So are further new objects with the same values.
struct ConstraintConflictResolution {
    let conflict: NSConstraintConflict

    func apply(_ type: NSMergePolicyType) {
        let locals = conflict.conflictingObjects.filter { !$0.state.isDeleted }
        if let stored = conflict.databaseObject {
            let successor = self.successor(of: stored, among: locals, type)
            if let successor { takeValues(from: stored, successor, type) }
            for local in locals where local !== successor { settle(local, against: successor ?? stored, type) }
            return
        }
        // The values aren't saved yet: an object that has a row is kept, otherwise the first.
        guard let kept = locals.first(where: { !$0.state.isInserted }) ?? locals.first else { return }
        for local in locals where local !== kept { settle(local, against: kept, type) }
    }

    /// The new object that becomes the stored row's.
    private func successor(of stored: NSManagedObject, among locals: [NSManagedObject], _ type: NSMergePolicyType)
        -> NSManagedObject?
    {
        guard conflict.canBeInherited, type != .errorMergePolicyType, type != .rollbackMergePolicyType else {
            return nil
        }
        return locals.first { $0.state.isInserted && $0.layout === stored.layout }
    }

    /// Gives the successor the row's values where these win. The context gives it the row's identity afterwards.
    private func takeValues(from stored: NSManagedObject, _ successor: NSManagedObject, _ type: NSMergePolicyType) {
        let changed = successor.valuesThatChanged(all: true)
        for case let slot? in successor.layout.slots where !slot.isTransient {
            if slot.kind == .toOne {
                guard let destination = stored.toOneObject(slot) else { continue }
                let keeps = type != .mergeByPropertyStoreTrumpMergePolicyType && successor.toOneObject(slot) != nil
                if keeps || successor.toOneObject(slot) === destination { continue }
                successor.setToOne(slot, nil)
                // The other side has the row already, if it was read.
                successor.setEdit(slot.index, .object(destination))
            } else if !takes(slot.name, successor, over: stored, changed, type) {
                if let value = stored.readableValue(slot.index) {
                    successor.setAttribute(slot.index, value)
                } else {
                    // The successor gets the row, and with it what can't be read.
                    successor.setEdit(slot.index, nil)
                }
            }
        }
        conflict.successor = successor
    }

    /// Whether a new object's value of an attribute wins over the one of the object that stays.
    private func takes(
        _ name: String, _ local: NSManagedObject, over kept: NSManagedObject, _ changed: [String: Any],
        _ type: NSMergePolicyType
    ) -> Bool {
        switch type {
        case .overwriteMergePolicyType: true
        case .mergeByPropertyObjectTrumpMergePolicyType: changed[name] != nil
        default: kept.value(forKey: name) == nil && local.value(forKey: name) != nil
        }
    }

    private func settle(_ local: NSManagedObject, against kept: NSManagedObject, _ type: NSMergePolicyType) {
        guard let context = local.ownContext else { return }
        switch type {
        case .errorMergePolicyType: return
        case .rollbackMergePolicyType:
            noteReplacement(of: local, by: kept, in: context)
            drop(local, in: context)
        case .mergeByPropertyStoreTrumpMergePolicyType where !local.state.isInserted:
            restoreConstraintValues(of: local)
        case .overwriteMergePolicyType where !local.state.isInserted,
            .mergeByPropertyObjectTrumpMergePolicyType where !local.state.isInserted:
            context.delete(kept)
        default:
            noteReplacement(of: local, by: kept, in: context)
            moveValues(from: local, to: kept, type)
            moveRelationships(from: local, to: kept, type)
            context.delete(local)
        }
    }

    private func noteReplacement(
        of local: NSManagedObject, by kept: NSManagedObject, in context: NSManagedObjectContext
    ) {
        if local.state.isInserted { context.activity.replacements.append((local.objectID, kept)) }
    }

    private func drop(_ local: NSManagedObject, in context: NSManagedObjectContext) {
        if local.state.isInserted {
            for (name, relationship) in local.entity.relationshipsByName where !relationship.isToMany {
                local.setValue(nil, forKey: name)
            }
            context.delete(local)
        } else {
            context.refresh(local, mergeChanges: false)
        }
    }

    private func restoreConstraintValues(of local: NSManagedObject) {
        for (key, value) in local.committedValues(forKeys: conflict.constraint) {
            SnapshotValue.set(value, forKey: key, of: local)
        }
    }

    private func moveValues(from local: NSManagedObject, to kept: NSManagedObject, _ type: NSMergePolicyType) {
        let changed = local.valuesThatChanged(all: true)
        for name in local.entity.attributesByName.keys where kept.entity.attributesByName[name] != nil {
            guard takes(name, local, over: kept, changed, type) else { continue }
            let value = local.value(forKey: name)
            // Nothing is put in the place of a value because another can't be read; the context has noted that.
            if let slot = local.layout.slot(named: name), local.readableValue(slot.index) == nil { continue }
            kept.setValue(value, forKey: name)
        }
    }

    private func moveRelationships(from local: NSManagedObject, to kept: NSManagedObject, _ type: NSMergePolicyType) {
        for (name, relationship) in local.entity.relationshipsByName
        where kept.entity.relationshipsByName[name] != nil {
            if relationship.isToMany {
                moveMembers(of: relationship, from: local, to: kept)
            } else if let value = local.value(forKey: name) as? NSManagedObject {
                // Emptied first, so that deleting the object passes nothing on.
                local.setValue(nil, forKey: name)
                let trumps = type != .mergeByPropertyStoreTrumpMergePolicyType
                if trumps || kept.value(forKey: name) == nil { kept.setValue(value, forKey: name) }
            }
        }
    }

    private func moveMembers(
        of relationship: NSRelationshipDescription, from local: NSManagedObject, to kept: NSManagedObject
    ) {
        if relationship.isOrdered {
            let members = Self.members(local.value(forKey: relationship.name))
            guard !members.isEmpty else { return }
            local.setValue(NSOrderedSet(), forKey: relationship.name)
            let joined = NSMutableOrderedSet(array: Self.members(kept.value(forKey: relationship.name)))
            joined.addObjects(from: members)
            kept.setValue(joined, forKey: relationship.name)
        } else {
            let members = Self.members(local.value(forKey: relationship.name))
            guard !members.isEmpty else { return }
            local.setValue(NSSet(), forKey: relationship.name)
            let joined = NSMutableSet(array: Self.members(kept.value(forKey: relationship.name)))
            joined.addObjects(from: members)
            kept.setValue(joined, forKey: relationship.name)
        }
    }

    private static func members(_ value: Any?) -> [Any] {
        switch value {
        case let set as NSOrderedSet: set.array
        case let set as NSSet: set.allObjects
        case let set as Set<NSManagedObject>: Array(set)
        default: []
        }
    }
}
