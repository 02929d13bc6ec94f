import Foundation

/// Key-value coding over the model's properties.
extension NSManagedObject {
    final func modeledValue(forKey key: String) -> Any? {
        if let slot = layout.slot(named: key) {
            if slot.kind == .toOne { return toOneObject(slot) }
            return anyValue(slot, slotValue(slot.index))
        }
        if let relationship = layout.relationship(named: key) { return collection(relationship) }
        if layout.isProbe {
            KeyPathProbe.record(key)
            return nil
        }
        switch key {
        case "objectID": return objectID
        case "self": return self
        case "entity": return entity
        default: break
        }
        if let fetched = entity.propertiesByName[key] as? NSFetchedPropertyDescription {
            return fetchedPropertyValue(fetched)
        }
        if let getter = KeyedProperties.getter(key, of: type(of: self)) { return getter(self) }
        return value(forUndefinedKey: key)
    }

    /// What an application gets for a slot's value; a transformable is decoded once and kept.
    final func anyValue(_ slot: SlotLayout, _ value: PropertyValue) -> Any? {
        guard slot.kind == .transformable || slot.kind == .composite, case .data = value else {
            return slot.any(from: value)
        }
        // What is remembered is the row's.
        if hasEdit(slot.index) { return slot.any(from: value) }
        if let decoded = extras?.decoded[slot.index] { return decoded }
        let decoded = slot.any(from: value)
        ensureExtras().decoded[slot.index] = decoded
        return decoded
    }

    final func setModeledValue(_ value: Any?, forKey key: String) {
        if let slot = layout.slot(named: key) {
            setAny(value, slot: slot)
        } else if let relationship = layout.relationship(named: key) {
            setCollection(value, relationship)
        } else {
            setValue(value, forUndefinedKey: key)
        }
    }

    private func setAny(_ value: Any?, slot: SlotLayout) {
        if slot.kind != .toOne, OverriddenMethod.setPrimitiveValue.isOverridden(by: type(of: self)),
            (try? slot.propertyValue(from: value)) != nil
        {
            if state.contains(.fault) { fireFault() }
            willChangeValue(forKey: slot.name)
            recordChange(ofSlot: slot.index)
            setPrimitiveValue(value, forKey: slot.name)
            didChangeValue(forKey: slot.name)
            return
        }
        do {
            let converted = try slot.propertyValue(from: value)
            if slot.kind == .toOne {
                if case .object(let object) = converted {
                    try slot.relationship?.check(object)
                    setToOne(slot, object)
                } else {
                    setToOne(slot, nil)
                }
            } else {
                setAttribute(slot.index, converted)
            }
            acceptValue(forKey: slot.name)
        } catch {
            recordChange(ofSlot: slot.index)
            refuse(value, forKey: slot.name, error)
        }
    }

    /// Keeps a value that doesn't fit its property, so that validation reports it.
    final func refuse(_ value: Any?, forKey key: String, _ error: any Error) {
        guard let reason = error as? UnacceptableValue else { return }
        ensureExtras().refused[key] = RefusedValue(value: value, reason: reason)
    }

    /// Forgets a value that didn't fit its property, which has another one now.
    final func acceptValue(forKey key: String) {
        if let extras, !extras.refused.isEmpty { extras.refused[key] = nil }
    }

    final func collection(_ relationship: RelationshipLayout) -> Any {
        let members = members(relationship)
        return relationship.isOrdered ? NSOrderedSet(array: Array(members.objects)) : Set(members.objects)
    }

    private func setCollection(_ value: Any?, _ relationship: RelationshipLayout) {
        let objects: [Any]
        switch OptionalValue.flatten(value) {
        case nil: objects = []
        case let set as NSOrderedSet: objects = set.array
        case let set as NSSet: objects = set.allObjects
        case let array as [Any]: objects = array
        case let set as Set<NSManagedObject>: objects = Array(set)
        case let other?: objects = [other]
        }
        do {
            let members = try objects.map { element in
                guard let object = element as? NSManagedObject else {
                    throw UnacceptableValue(
                        sentence: "Unacceptable type of value for to-many relationship: property = "
                            + "\"\(relationship.name)\"; given type = \(type(of: element)).")
                }
                try relationship.check(object)
                return object
            }
            setMembers(relationship, ContiguousArray(members))
            acceptValue(forKey: relationship.name)
        } catch {
            recordChange(ofRelationship: relationship)
            refuse(value, forKey: relationship.name, error)
        }
    }

    // MARK: Primitive values

    /// What `primitiveValue` does.
    final func unhookedValue(forKey key: String) -> Any? {
        checkConfinement()
        if let slot = layout.slot(named: key) {
            return slot.kind == .toOne ? destinationWithoutFiring(slot) : anyValue(slot, currentValue(slot.index))
        }
        if let relationship = layout.relationship(named: key) {
            return relationship.isOrdered
                ? liveOrderedSet(relationship)
                : primitiveSet(relationship)
        }
        return extras?.unmodeled[key]
    }

    /// What `setPrimitiveValue` does.
    final func setUnhookedValue(_ value: Any?, forKey key: String) {
        checkConfinement()
        if let slot = layout.slot(named: key) {
            guard let converted = try? slot.propertyValue(from: value) else {
                setAny(value, slot: slot)
                return
            }
            recordUnannounced(slot.index)
            setEdit(slot.index, converted)
            acceptValue(forKey: slot.name)
        } else if let relationship = layout.relationship(named: key) {
            withoutTracking { setCollection(value, relationship) }
        } else {
            ensureExtras().unmodeled[key] = value
        }
    }

    /// What `willAccessValue` does.
    final func beginAccess(forKey key: String?) {
        prepareToRead()
    }

    /// What `willChangeValue` does.
    final func beginChange(forKey key: String) {
        if state.contains(.fault) { fireFault() }
        if let slot = layout.slot(named: key) {
            recordChange(ofSlot: slot.index)
            if slot.kind == .toOne { recordFormerDestination(slot) }
        } else if let relationship = layout.relationship(named: key) {
            recordChange(ofRelationship: relationship)
            if relationship.isToMany { ownContext?.undoRecorder?.willChange(relationship, of: self) }
        }
    }

    /// What `value(forKeyPath:)` does.
    final func valueAtEnd(forKeyPath keyPath: String) -> Any? {
        guard let dot = keyPath.firstIndex(of: ".") else { return value(forKey: keyPath) }
        let next = value(forKey: String(keyPath[..<dot]))
        let rest = String(keyPath[keyPath.index(after: dot)...])
        return KeyValuePath.value(of: next, rest)
    }

    /// What `setValue(_:forKeyPath:)` does.
    final func setValueAtEnd(_ value: Any?, forKeyPath keyPath: String) {
        guard let dot = keyPath.firstIndex(of: ".") else {
            setValue(value, forKey: keyPath)
            return
        }
        let first = String(keyPath[..<dot])
        let rest = keyPath[keyPath.index(after: dot)...]
        if let slot = layout.slot(named: first), slot.kind == .composite {
            var elements = self.value(forKey: first) as? [String: Any]
            if hasDamage(slot) {
                guard let sound = soundElements(of: slot, besides: keyPath) else { return }
                elements = sound
            }
            let path = rest.split(separator: ".").map(String.init)
            setValue(Self.setting(value, at: path[...], in: elements), forKey: first)
        } else {
            (self.value(forKey: first) as? NSManagedObject)?.setValue(value, forKeyPath: String(rest))
        }
    }

    /// What `mutableSetValue(forKeyPath:)` does.
    final func liveSet(forKeyPath keyPath: String) -> NSMutableSet {
        let (owner, key) = relationshipOwner(forKeyPath: keyPath)
        return owner?.mutableSetValue(forKey: key) ?? NSMutableSet()
    }

    /// What `mutableOrderedSetValue(forKeyPath:)` does.
    final func liveOrderedSet(forKeyPath keyPath: String) -> NSMutableOrderedSet {
        let (owner, key) = relationshipOwner(forKeyPath: keyPath)
        return owner?.mutableOrderedSetValue(forKey: key) ?? NSMutableOrderedSet()
    }

    /// The object that has the last key of a key path.
    private func relationshipOwner(forKeyPath keyPath: String) -> (owner: NSManagedObject?, key: String) {
        guard let dot = keyPath.lastIndex(of: ".") else { return (self, keyPath) }
        let owner = value(forKeyPath: String(keyPath[..<dot])) as? NSManagedObject
        return (owner, String(keyPath[keyPath.index(after: dot)...]))
    }

    /// The elements of a composite attribute after one of them got another value.
    private static func setting(
        _ value: Any?, at path: ArraySlice<String>, in elements: [String: Any]?
    ) -> [String: Any] {
        var elements = elements ?? [:]
        guard let name = path.first else { return elements }
        elements[name] =
            path.count == 1
            ? OptionalValue.flatten(value)
            : setting(value, at: path.dropFirst(), in: elements[name] as? [String: Any])
        return elements
    }

    /// What `dictionaryWithValues` does.
    final func valuesByKey(forKeys keys: [String]) -> [String: Any] {
        Dictionary(uniqueKeysWithValues: Set(keys).map { ($0, value(forKey: $0) ?? NSNull()) })
    }

    /// What `setValuesForKeys` does.
    final func setValuesByKey(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }

    // MARK: Faults of relationships

    /// What `hasFault` does.
    final func isUnreadRelationship(forRelationshipNamed key: String) -> Bool {
        guard let relationship = layout.relationship(named: key) else { return false }
        if relationship.isToMany {
            if state.contains(.inserted) && slab == nil { return false }
            return toManyStateIfAny(relationship)?.members == nil
        }
        guard let slot = layout.slot(named: key), !state.contains(.fault) else { return state.isFault }
        return destinationWithoutFiring(slot)?.isFault ?? false
    }

    /// What `objectIDs` does.
    final func destinationIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        guard let relationship = layout.relationship(named: key) else { return [] }
        if relationship.isToMany { return members(relationship).objects.map(\.objectID) }
        return layout.slot(named: key).flatMap(toOneObject).map { [$0.objectID] } ?? []
    }
}

extension RelationshipLayout {
    /// Throws when an object is of an entity that the relationship doesn't lead to.
    func check(_ object: NSManagedObject) throws {
        let index = object.layout.index
        let declared = destination
        if index == declared.index || object.layout.isKind(of: declared) { return }
        if object.layout.model !== owner.model, object.entity.isKindOf(entity: declared.entity) { return }
        throw UnacceptableValue(
            sentence: "Unacceptable type of value for the relationship \"\(name)\" of \(owner.name): desired entity = "
                + "\(declared.name); given entity = \(object.layout.name).")
    }
}
