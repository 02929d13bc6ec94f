import Foundation

/// Objects that have a place among those that sort descriptors compare as equal: that of their number in the store.
package protocol NumberedObject {
    /// The store and the number in it; `nil` for an object that was never saved.
    var storedNumber: StoredNumber? { get }
}

/// The number of an object in a store.
package struct StoredNumber: Hashable, Sendable {
    package let storeIdentifier: String
    package let number: Int64

    package init(storeIdentifier: String, number: Int64) {
        self.storeIdentifier = storeIdentifier
        self.number = number
    }
}

/// The position of a saved object in an order, from which a fetch goes on: by the values of the sort descriptors, and by the
/// object's number where they are equal.
package struct SortPosition: PredicatePosition {
    package let descriptors: [NSSortDescriptor]
    /// The value of each descriptor.
    package private(set) var values: [Any?]
    package let number: StoredNumber
    /// The stores whose objects come after those of the object's store where the values are equal.
    package let laterStores: Set<String>

    /// - Throws: An error if a descriptor can't be used, or the object doesn't have its key.
    package init(
        of object: Any, number: StoredNumber, laterStores: Set<String>, by descriptors: [NSSortDescriptor]
    ) throws {
        self.descriptors = descriptors
        self.number = number
        self.laterStores = laterStores
        values = try descriptors.map { descriptor in
            if let error = descriptor.formatError { throw error }
            let value = try descriptor.value(of: object)
            // A store has no value in place of one that is no number.
            if case .real(let number) = PredicateValue(value), number.isNaN { return nil }
            return value
        }
    }

    package var keyPaths: [String] { descriptors.compactMap(\.key) }

    package func mappingValues(_ transform: (Any) -> Any?) -> SortPosition {
        var position = self
        position.values = values.map { $0.flatMap(transform) }
        return position
    }

    package func isBefore(_ object: Any?) throws -> Bool {
        for (descriptor, value) in zip(descriptors, values) {
            switch descriptor.compareValues(value, try descriptor.value(of: object)) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame: continue
            }
        }
        guard let object = object as? any NumberedObject else { return false }
        // New objects come after saved ones.
        guard let other = object.storedNumber else { return true }
        if other.storeIdentifier == number.storeIdentifier { return other.number > number.number }
        return laterStores.contains(other.storeIdentifier)
    }

    package var description: String {
        let keys = zip(descriptors, values).map { descriptor, value in
            "\(descriptor.key ?? "SELF") \(PredicateFormatPrinter.format(ofConstant: value))"
        }
        return "AFTER(\((keys + ["object \(number.number)"]).joined(separator: ", ")))"
    }
}
