import Foundation
import Synchronization

/// Classes that know the names of their properties' key paths.
///
/// A Swift key path carries no name off Apple's platforms.
package protocol KeyPathNameResolving {
    /// The key path in Core Data's spelling, such as `author.name`, or nil if the class does not know it.
    static func keyName(for keyPath: AnyKeyPath) -> String?
    /// The properties that a key path reads, or from which a property is computed. May be empty.
    static func keysRead(by keyPath: AnyKeyPath) -> [String]
}

extension KeyPathNameResolving {
    package static func keysRead(by keyPath: AnyKeyPath) -> [String] { [] }
}

/// The names of Swift key paths, by registration or by asking the key path's root class.
package enum KeyPathNames {
    /// A key path as a dictionary key that may cross threads.
    // Key paths of properties are immutable; those with captured subscript arguments are never registered.
    private struct Key: @unchecked Sendable, Hashable {
        let keyPath: AnyKeyPath
    }

    /// The errors about key paths without a name.
    enum Nameless {
        private static let key = "OpenCoreDataNamelessKeyPath"

        fileprivate static func error(_ sentence: String) -> CocoaError {
            CocoaError(.coreData, userInfo: [NSLocalizedDescriptionKey: sentence, key: true])
        }

        static func isOne(_ error: any Error) -> Bool { (error as? CocoaError)?.userInfo[key] != nil }
    }

    private static let names = Mutex<[Key: String]>([:])

    /// Remembers the name of a key path.
    package static func register(_ keyPath: AnyKeyPath, name: String) {
        let key = Key(keyPath: keyPath)
        names.withLock { $0[key] = name }
    }

    /// The name of a key path, or nil if it is not known.
    package static func name(of keyPath: AnyKeyPath) -> String? {
        let key = Key(keyPath: keyPath)
        if let name = names.withLock({ $0[key] }) { return name }
        let rootType = type(of: keyPath).rootType
        let resolved = (rootType as? any KeyPathNameResolving.Type)?.keyName(for: keyPath)
        guard let name = resolved ?? printedName(of: keyPath, rootType) else { return nil }
        names.withLock { $0[key] = name }
        return name
    }

    /// The name of a key path of stored properties, which its printed form `\Root.a.b` has.
    private static func printedName(of keyPath: AnyKeyPath, _ rootType: Any.Type) -> String? {
        let string = "\(keyPath)"
        let prefix = "\\\(rootType)."
        guard string.hasPrefix(prefix), string != prefix, !string.contains("<"), !string.contains("[") else {
            return nil
        }
        return String(string.dropFirst(prefix.count)).replacing("?.", with: ".").replacing("!.", with: ".")
    }

    /// The name of a key path, or an error that names the key path.
    package static func requiredName(of keyPath: AnyKeyPath) throws -> String {
        if let name = name(of: keyPath) { return name }
        let type = type(of: keyPath)
        if let root = type.rootType as? any KeyPathNameResolving.Type {
            let keys = root.keysRead(by: keyPath).map { "'\($0)'" }.joined(separator: ", ")
            throw Nameless.error(
                "The key path \(keyPath) is a computed property of \(type.rootType) whose value, of type \(type.valueType), "
                    + (keys.isEmpty ? "comes from no property of the model" : "is made of \(keys)")
                    + ": a store only has the model's properties.")
        }
        throw Nameless.error(
            "The key path \(keyPath) has no name: use one of a managed object class, or a key as a string.")
    }
}
