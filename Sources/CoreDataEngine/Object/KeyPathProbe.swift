import Foundation
import Synchronization

/// Finds the name of a Swift key path by reading it from an object that records which properties are asked for.
///
/// A key path carries no name off Apple's platforms. The object is of the key path's own root class, so that its
/// accessors run; it has no row and no context, and its to-ones lead to further objects of this kind.
///
/// A key path may as well be one of a property that is computed of those of the model: its value then isn't the value
/// of what it asked for, which is seen by reading it again with values that say so.
enum KeyPathProbe {
    /// What a reading has asked for so far.
    private struct Reading {
        var names: [String] = []
        /// What was read last.
        var latest = ProbedValue.unknown
        var sample = 0
    }

    private static let reading = Mutex(Reading())
    /// An initializer or accessor of the application's may have a name of its own looked for.
    private static let probing = NSRecursiveLock()

    /// The names along a key path, joined by dots; `nil` when it is no property of the model.
    static func name(of keyPath: AnyKeyPath, root: NSManagedObject.Type) -> String? {
        probing.withLock {
            let names = read(keyPath, root, sample: 0).names
            guard !names.isEmpty, showsWhatItReads(keyPath, root) else { return nil }
            return names.joined(separator: ".")
        }
    }

    private static func showsWhatItReads(_ keyPath: AnyKeyPath, _ root: NSManagedObject.Type) -> Bool {
        let type = type(of: keyPath).valueType
        guard ProbedValue.isAttributeType(type) else { return true }
        return ProbedValue.samples.allSatisfy { sample in
            let (_, latest, value) = read(keyPath, root, sample: sample)
            return latest.isShown(by: value, as: type)
        }
    }

    /// The properties that a key path reads.
    static func names(readBy keyPath: AnyKeyPath, root: NSManagedObject.Type) -> [String] {
        probing.withLock { read(keyPath, root, sample: 0).names }
    }

    private static func read(
        _ keyPath: AnyKeyPath, _ root: NSManagedObject.Type, sample: Int
    ) -> (names: [String], latest: ProbedValue, value: Any?) {
        let outer = reading.withLock { reading in
            defer { reading = Reading(sample: sample) }
            return reading
        }
        defer { reading.withLock { $0 = outer } }
        let object = root.init(entity: carrier(), insertInto: nil)
        let value = object[keyPath: keyPath as AnyKeyPath]
        let read = reading.withLock { $0 }
        return (read.names, read.latest, value)
    }

    /// Notes that a property is read by its name.
    static func record(_ name: String) {
        reading.withLock { reading in
            reading.names.append(name)
            reading.latest = .unknown
        }
    }

    /// Notes that a property is read, and gives the object the value that the accessor is to find.
    static func record(_ property: ResolvedProperty, of object: NSManagedObject) {
        let latest = reading.withLock { reading in
            reading.names.append(property.name)
            reading.latest = ProbedValue(property, sample: reading.sample)
            return reading.latest
        }
        guard let value = latest.value else { return }
        object.ensureExtras().values = [value]
    }

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

    package static func keysRead(by keyPath: AnyKeyPath) -> [String] { KeyPathProbe.names(readBy: keyPath, root: self) }
}
