import Foundation

/// Settles one uniqueness conflict by one of the standard rules.
///
/// New objects collapse onto the one that stays: it takes their values as the rule says, and their relationships; then
/// they are deleted, which for a new object means that it is never written.
struct ConstraintConflictResolution {
    let conflict: NSConstraintConflict

    func apply(_ type: NSMergePolicyType) {
        let locals = conflict.conflictingObjects.filter { !$0.isDeleted }
        if let stored = conflict.databaseObject {
            for local in locals { settle(local, against: stored, type) }
            return
        }
        // Nobody has saved the values yet: an object that has a row stays, else the first.
        guard let kept = locals.first(where: { !$0.isInserted }) ?? locals.first else { return }
        for local in locals where local !== kept { settle(local, against: kept, type) }
    }

    private func settle(_ local: NSManagedObject, against kept: NSManagedObject, _ type: NSMergePolicyType) {
        guard let context = local.managedObjectContext else { return }
        switch type {
        case .errorMergePolicyType: return
        case .rollbackMergePolicyType:
            drop(local, in: context)
        case .mergeByPropertyStoreTrumpMergePolicyType where !local.isInserted:
            restoreConstraintValues(of: local)
        case .overwriteMergePolicyType where !local.isInserted,
            .mergeByPropertyObjectTrumpMergePolicyType where !local.isInserted:
            context.delete(kept)
        default:
            moveValues(from: local, to: kept, type)
            moveRelationships(from: local, to: kept, type)
            context.delete(local)
        }
    }

    private func drop(_ local: NSManagedObject, in context: NSManagedObjectContext) {
        if local.isInserted {
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
        let changed = local.changedValues()
        for name in local.entity.attributesByName.keys where kept.entity.attributesByName[name] != nil {
            let value = local.value(forKey: name)
            let takes =
                switch type {
                case .overwriteMergePolicyType: true
                case .mergeByPropertyObjectTrumpMergePolicyType: changed[name] != nil
                default: kept.value(forKey: name) == nil && value != nil
                }
            if takes { kept.setValue(value, forKey: name) }
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
