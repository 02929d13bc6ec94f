import Foundation
import Synchronization

/// Finds migration policies by the names that mapping models have for them: among those that the program made known, then
/// among the classes that the program and its libraries declare. Names in files lead to policies and no other classes.
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
        if let policy = classes.withLock({ $0[name] }) ?? declared(name, last) ?? classes.withLock({ $0[last] }) {
            return policy
        }
        throw CoreDataError.make(
            NSEntityMigrationPolicyError,
            "The entity mapping '\(mapping.name ?? "")' needs the migration policy '\(name)', and the program has no "
                + "subclass of NSEntityMigrationPolicy with that name. Register a class with another name with "
                + "register(as:) before migrating.")
    }

    /// The class of a name, in the module that the name has or else in any; at the top level of a file first.
    private static func declared(_ name: String, _ last: String) -> NSEntityMigrationPolicy.Type? {
        let module = name.split(separator: ".").first.map(String.init)
        let found = DeclaredClasses.named(last)
        for declaration in found.filter({ $0.module == module }) + found {
            if let policy = declaration.anyClass as? NSEntityMigrationPolicy.Type { return policy }
        }
        guard DeclaredClasses.imageCount == 0 else { return nil }
        let modules = [module, ProcessInfo.processInfo.processName].compactMap(\.self)
        return modules.lazy.compactMap { NSClassFromString("\($0).\(last)") as? NSEntityMigrationPolicy.Type }.first
    }
}

extension NSEntityMigrationPolicy {
    /// Makes the class known, so that mapping models can name it by another name than its own.
    ///
    /// Classes are found by their own name without this. Call it once, before a migration. Safe to call from any thread.
    ///
    /// - Parameter name: A further name besides the class's own with and without its module.
    public class func register(as name: String? = nil) {
        MigrationPolicyRegistry.register(self, as: name)
    }
}
