import OpenCoreData
import StoreTools

extension StoreSession {
    /// A predicate for objects of an entity, as a user typed it. What the user may have meant otherwise is said on standard
    /// error.
    func typedPredicate(_ format: String, for entity: NSEntityDescription) throws -> NSPredicate {
        let predicate = try predicate(format, for: entity)
        for sentence in PredicateHint.sentences(for: predicate) {
            StandardError.writeLine("opencoredata: hint: \(sentence)")
        }
        return predicate
    }
}
