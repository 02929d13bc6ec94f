import Foundation

extension SavePlan {
    /// The plan with transformable values as the bytes that a slab holds.
    func archivingTransformedValues() throws -> SavePlan {
        var plan = self
        plan.inserts = try inserts.map { try $0.archivingTransformedValues() }
        plan.updates = try updates.map { try $0.archivingTransformedValues() }
        return plan
    }
}

extension RowChange {
    fileprivate func archivingTransformedValues() throws -> RowChange {
        var change = self
        for (index, value) in values.enumerated() {
            guard case .transformed(let transformed) = value, let slot = entity.slots[index]
            else { continue }
            change.values[index] = try slot.archived(transformed.value).map { .data($0) } ?? .null
        }
        return change
    }
}
