import Foundation

/// The model's rules, with Apple's error codes.
extension NSManagedObject {
    /// Checks every property and throws one error: the single failure, or 1560 with all of them.
    ///
    /// The model's rules are checked for all values that are in memory; a fault that the inverse of a change elsewhere made
    /// part of the save has none but its edits. `validateValue` is called for values that were set; the others came from
    /// the store.
    final func validateProperties() throws {
        if isUnread, let error = unreadError(.row) { throw error }
        var failures: [any Error] = []
        let isNew = state.contains(.inserted)
        let hasRow = isNew || !state.contains(.fault) || rowValues != nil
        let hasRefused = extras?.refused.isEmpty == false
        let overrides = overridesValidation
        for info in layout.slotInfos {
            let isSet = isNew || hasEdit(info.index)
            guard isSet || hasRow else { continue }
            do {
                try validate(info, isSet: isSet, hasRefused: hasRefused, overrides: overrides)
            } catch {
                failures.append(error)
            }
        }
        for relationship in layout.relationships where relationship.isToMany {
            do {
                try validateCount(relationship, hasRefused: hasRefused)
            } catch {
                failures.append(error)
            }
        }
        try ValidationFailures.throwIfAny(failures)
    }

    @inline(__always)
    private func validate(_ info: SlotInfo, isSet: Bool, hasRefused: Bool, overrides: Bool) throws {
        if hasRefused { try checkRefused(info) }
        let callsClass = overrides && isSet
        if isNull(info.index) {
            if !info.isOptional, let slot = layout.slots[info.index] { throw missing(slot.name) }
            guard callsClass else { return }
            return try validateSet(info, callsClass: true)
        }
        guard isSet && info.isNarrow || info.hasRules || callsClass else { return }
        try validateSet(info, callsClass: callsClass)
    }

    /// Whether a slot has no value now. Doesn't make one.
    private func isNull(_ index: Int) -> Bool {
        if let extras, index < extras.values.count, extras.values[index] != nil {
            if case .some(.null) = extras.values[index] { return true }
            return false
        }
        guard let rowValues else { return true }
        guard rowValues.isNull(index) else { return false }
        // What is damaged is a value, even if it can't be read.
        return slab?.isDamaged(Int(row), index) != true
    }

    private func checkRefused(_ info: SlotInfo) throws {
        if let name = layout.slots[info.index]?.name { try checkRefused(name) }
    }

    private func checkRefused(_ key: String) throws {
        guard let refused = extras?.refused[key] else { return }
        throw validationError(
            NSManagedObjectValidationError, refused.reason.sentence, key: key, value: refused.value)
    }

    private func validateSet(_ info: SlotInfo, callsClass: Bool) throws {
        guard let slot = layout.slots[info.index] else { return }
        let value = currentValue(info.index)
        if info.isNarrow { try validateRange(slot, value) }
        guard info.hasRules || callsClass else { return }
        let registry = table?.registry
        registry?.validating = slot
        defer { registry?.validating = nil }
        var any = info.kind == .toOne ? destinationWithoutFiring(slot) : anyValue(slot, value)
        try validateValue(&any, forKey: slot.name)
    }

    /// Whether the class has validation of its own.
    private var overridesValidation: Bool { OverriddenMethod.validation.isOverridden(by: type(of: self)) }

    /// Asks what the class overrides with a pointer, or the model.
    final func validateByReference(_ value: inout Any?, forKey key: String) throws {
        #if !canImport(ObjectiveC)
        if OverriddenMethod.validateByReference.isOverridden(by: type(of: self)) {
            let proposed = OptionalValue.flatten(value).map { $0 as AnyObject }
            var object = proposed
            try withUnsafeMutablePointer(to: &object) { pointer in
                try validateValue(AutoreleasingUnsafeMutablePointer(pointer), forKey: key)
            }
            if object !== proposed { value = object }
            return
        }
        #endif
        try validateModelRules(of: value, forKey: key)
    }

    #if !canImport(ObjectiveC)
    /// Checks a value before it is set.
    ///
    /// It is the form for values that are objects. It calls `validateValue(_:forKey:)` with the value as `Any`, and
    /// with it what the class overrides.
    ///
    /// - Parameters:
    ///   - value: The proposed value; may be replaced.
    ///   - key: The property.
    /// - Throws: The error of the first rule that is broken.
    public final func validateValue(_ value: inout AnyObject?, forKey key: String) throws {
        var any: Any? = value
        try validateValue(&any, forKey: key)
        value = OptionalValue.flatten(any).map { $0 as AnyObject }
    }
    #endif

    private func validateRange(_ slot: SlotLayout, _ value: PropertyValue) throws {
        guard case .integer(let number) = value, let range = slot.kind.integerRange else { return }
        if range.contains(number) { return }
        let code = number > range.upperBound ? NSValidationNumberTooLargeError : NSValidationNumberTooSmallError
        throw validationError(
            code, "\(number) does not fit the attribute \(slot.name) of \(layout.name).", key: slot.name,
            value: NSNumber(value: number))
    }

    /// The rules of the model for one value.
    final func validateModelRules(of value: Any?, forKey key: String) throws {
        if let slot = table?.registry.validating, slot.name == key, value != nil || slot.isOptional, !slot.hasRules {
            return
        }
        guard let property = layout.slot(named: key)?.property ?? layout.relationship(named: key)?.description else {
            return
        }
        guard let value = OptionalValue.flatten(value) else {
            if !property.isOptional { throw missing(key) }
            return
        }
        let warnings = property.validationWarnings
        for (index, predicate) in property.validationPredicates.enumerated() where !predicate.evaluate(with: value) {
            let warning = index < warnings.count ? warnings[index] : nil
            throw validationError(
                // The limits that the model editor offers have codes of their own, which models keep as warnings.
                (warning as? NSNumber)?.intValue ?? NSManagedObjectValidationError,
                (warning as? String).flatMap { $0.isEmpty ? nil : $0 }
                    ?? "The value of \(key) of \(layout.name) does not satisfy \(predicate.predicateFormat).",
                key: key, value: value, predicate: predicate)
        }
    }

    private func validateCount(_ relationship: RelationshipLayout, hasRefused: Bool) throws {
        if hasRefused { try checkRefused(relationship.name) }
        let description = relationship.description
        guard description.maxCount > 0 || description.minCount > 0,
            state.contains(.inserted) || toManyStateIfAny(relationship)?.hasChanges == true
        else { return }
        let count = try readMembers(relationship).objects.count { !$0.state.isDeleted }
        if count == 0, relationship.isOptional { return }
        if description.maxCount > 0, count > description.maxCount {
            throw validationError(
                NSValidationRelationshipExceedsMaximumCountError,
                "The relationship \(relationship.name) of \(layout.name) has \(count) objects; at most "
                    + "\(description.maxCount) are allowed.", key: relationship.name, value: collection(relationship))
        }
        // As in Apple's framework it is the count that asks for members, not that the relationship is mandatory.
        if count < description.minCount {
            throw validationError(
                NSValidationRelationshipLacksMinimumCountError,
                "The relationship \(relationship.name) of \(layout.name) has \(count) objects; at least "
                    + "\(description.minCount) are needed.", key: relationship.name,
                value: collection(relationship))
        }
    }

    /// Checks the deny rules against the objects that are not being deleted themselves.
    final func validateDeleteRules() throws {
        if isWithdrawn { return }
        var failures: [any Error] = []
        for relationship in layout.relationships where relationship.deleteRule == .denyDeleteRule {
            let blocking: Bool
            if relationship.isToMany {
                blocking = try readMembers(relationship).objects.contains { !$0.state.isDeleted }
            } else {
                let destination = relationship.slot.flatMap { layout.slots[$0] }.flatMap(toOneObject)
                if isUnread, let error = unreadError(.row) { throw error }
                blocking = destination.map { !$0.state.isDeleted } ?? false
            }
            guard blocking else { continue }
            failures.append(
                validationError(
                    NSValidationRelationshipDeniedDeleteError,
                    "\(layout.name) can't be deleted while its relationship \(relationship.name) has objects.",
                    key: relationship.name, value: modeledValue(forKey: relationship.name)))
        }
        try ValidationFailures.throwIfAny(failures)
    }

    /// The members of a to-many that a rule is about; throws when they can't be read.
    private func readMembers(_ relationship: RelationshipLayout) throws -> MemberList {
        let members = members(relationship)
        if toManyStateIfAny(relationship)?.members == nil, let error = unreadError(.toMany(relationship)) {
            throw error
        }
        return members
    }

    private func missing(_ key: String) -> CocoaError {
        validationError(
            NSValidationMissingMandatoryPropertyError, "\(key) of \(layout.name) is a required value.", key: key,
            value: nil)
    }

    private func validationError(
        _ code: Int, _ sentence: String, key: String, value: Any?, predicate: NSPredicate? = nil
    ) -> CocoaError {
        var info: [String: Any] = [NSValidationKeyErrorKey: key, NSValidationObjectErrorKey: self]
        if let value { info[NSValidationValueErrorKey] = value }
        if let predicate { info[NSValidationPredicateErrorKey] = predicate }
        return CoreDataError.make(code, sentence, userInfo: info)
    }
}

/// Joins validation failures as Apple does: one is thrown as it is, several under 1560.
enum ValidationFailures {
    static func throwIfAny(_ failures: [any Error]) throws {
        let flat = failures.flatMap { failure -> [any Error] in
            let details = (failure as? CocoaError)?.userInfo[NSDetailedErrorsKey] as? [any Error]
            return details ?? [failure]
        }
        guard let first = flat.first else { return }
        if flat.count == 1 { throw first }
        throw CoreDataError.make(
            NSValidationMultipleErrorsError, "Multiple validation errors occurred.",
            userInfo: [NSDetailedErrorsKey: flat])
    }
}

extension RelationshipLayout {
    var isOptional: Bool { description.isOptional }
}
