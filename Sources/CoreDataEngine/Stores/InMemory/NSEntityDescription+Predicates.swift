/// Lets predicates ask for `entity.name`.
extension NSEntityDescription: ThrowingKeyValueCoding {
    package func predicateValue(forKey key: String) throws -> Any? {
        switch key {
        case "name": return name
        case "managedObjectClassName": return managedObjectClassName
        default: throw CoreDataError.make(NSCoreDataError, "An entity has no value '\(key)' for predicates.")
        }
    }
}
