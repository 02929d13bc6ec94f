import Foundation
import Synchronization

/// The migration policies that the program made known. Names in files lead to these classes and no others.
enum MigrationPolicyRegistry {
    private static let classes = Mutex<[String: NSEntityMigrationPolicy.Type]>([:])

    static func register(_ policy: NSEntityMigrationPolicy.Type, as name: String?) {
        let full = String(reflecting: policy)
        let short = String(describing: policy)
        classes.withLock { classes in
            classes[full] = policy
            classes[short] = policy
            if let name { classes[name] = policy }
        }
    }

    /// The class for a mapping.
    ///
    /// - Throws: `NSEntityMigrationPolicyError` that names the class and the mapping.
    static func policy(for mapping: NSEntityMapping) throws -> NSEntityMigrationPolicy.Type {
        guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty, name != "NSEntityMigrationPolicy" else {
            return NSEntityMigrationPolicy.self
        }
        let last = name.split(separator: ".").last.map(String.init) ?? name
        if let policy = classes.withLock({ $0[name] ?? $0[last] }) { return policy }
        throw CoreDataError.make(
            NSEntityMigrationPolicyError,
            "The entity mapping '\(mapping.name ?? "")' needs the migration policy '\(name)', which is not known: call "
                + "\(last).register() before migrating.")
    }
}

extension NSEntityMigrationPolicy {
    /// Makes the class known, so that mapping models can name it.
    ///
    /// Call it once, before a migration: `MyPolicy.register()`. Safe to call from any thread.
    ///
    /// - Parameter name: A further name besides the class's own with and without its module.
    public class func register(as name: String? = nil) {
        MigrationPolicyRegistry.register(self, as: name)
    }
}
