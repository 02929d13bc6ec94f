import Foundation
import Synchronization

/// Finds the name of a Swift key path by reading it from an object that notes which properties are asked for.
///
/// A key path carries no name off Apple's platforms. The object is of the key path's own root class, so that its accessors
/// run; it has no row and no context, and its to-ones lead to further objects of this kind.
enum KeyPathProbe {
    private static let recorded = Mutex<[String]>([])
    /// An initialiser or accessor of the application's may have a name of its own looked for.
    private static let probing = NSRecursiveLock()

    /// The names along a key path, joined by dots; `nil` when it reads no property of the model.
    static func name(of keyPath: AnyKeyPath, root: NSManagedObject.Type) -> String? {
        probing.withLock {
            let outer = recorded.withLock { names in
                defer { names = [] }
                return names
            }
            defer { recorded.withLock { $0 = outer } }
            let object = root.init(entity: carrier(), insertInto: nil)
            _ = object[keyPath: keyPath as AnyKeyPath]
            let names = recorded.withLock { $0 }
            return names.isEmpty ? nil : names.joined(separator: ".")
        }
    }

    static func note(_ name: String) { recorded.withLock { $0.append(name) } }

    /// An entity that makes `init(entity:insertInto:)` give an object with the probing layout.
    static func carrier() -> NSEntityDescription {
        let carrier = MaterializingEntity()
        carrier.rowLayout = EntityLayout.probe
        return carrier
    }
}

extension EntityLayout {
    /// The layout of probing objects: it has no properties, and its identifier is no other layout's.
    static let probe: EntityLayout = {
        let entity = NSEntityDescription()
        return EntityLayout(
            entity: entity, index: 0, identifier: .max, parent: nil, model: ModelLayout.empty, keeping: entity)
    }()

    var isProbe: Bool { identifier == .max }
}

extension NSManagedObject: KeyPathNameResolving {
    package static func keyName(for keyPath: AnyKeyPath) -> String? { KeyPathProbe.name(of: keyPath, root: self) }
}
