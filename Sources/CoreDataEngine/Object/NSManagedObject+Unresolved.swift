import Foundation
import Synchronization

/// Properties that accessors don't reach by their index in a row.
extension NSManagedObject {
    /// The value of a property by its name.
    @inline(never)
    final func keyedValue(_ property: ResolvedProperty) -> Any? { modeledValue(forKey: property.name) }

    /// A number or date by its name.
    @inline(never)
    final func keyedDouble(_ property: ResolvedProperty) -> Double? {
        guard let value = keyedValue(property) else { return nil }
        return (value as? Date)?.timeIntervalSinceReferenceDate ?? SlotLayout.double(from: value)
    }

    /// Sets a property by its name. A value of another type is reported when the object is saved.
    @inline(never)
    final func setKeyedValue(_ value: Any?, _ property: ResolvedProperty) {
        setModeledValue(value, forKey: property.name)
    }

    /// Notes that the class doesn't fit the model. The context's next fetch or save throws it.
    final func report(_ mismatch: PropertyMismatch) {
        guard let context = ownContext else {
            return DiagnosticLog.fail("OpenCoreData", mismatch.sentence)
        }
        context.failures.reads.record(mismatch.error)
    }

    /// Notes that a value was set for a key that the entity doesn't have. The context's next save throws it.
    final func recordUnknownKey(_ key: String) {
        let sentence =
            "A value was set for the key '\(key)', but the entity \(layout.name) has no property of that name."
        guard let context = managedObjectContext else { return DiagnosticLog.fail("OpenCoreData", sentence) }
        context.recordMistake(
            CoreDataError.make(NSCoreDataError, sentence, userInfo: [NSAffectedObjectsErrorKey: [self]]))
    }
}
