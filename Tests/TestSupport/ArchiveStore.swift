public import Foundation
public import OpenCoreData

/// An atomic store over one property list, written with nothing but the public interface.
// @unchecked Sendable because the superclass calls one hook at a time, and the flags are set by tests before they save.
open class ArchiveStore: NSAtomicStore, @unchecked Sendable {
    public static let storeType = "ArchiveStore"

    /// What the next saves fail with.
    public var refusal: (any Error)?
    public private(set) var loads = 0
    public private(set) var saves = 0
    public private(set) var removed: [String] = []

    public static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(
            ArchiveStore.self, type: NSPersistentStore.StoreType(rawValue: storeType))
    }

    open override var type: String { ArchiveStore.storeType }

    open override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try content(at: url)["metadata"] as? [String: Any] ?? [:]
    }

    open override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        var content = try content(at: url)
        content["metadata"] = metadata
        try PropertyListSerialization.data(fromPropertyList: content, format: .binary, options: 0).write(to: url)
    }

    private static func content(at url: URL) throws -> [String: Any] {
        let list = try PropertyListSerialization.propertyList(from: try Data(contentsOf: url), options: [], format: nil)
        return list as? [String: Any] ?? [:]
    }

    open override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        "\(managedObject.entity.name ?? "")-\(UUID().uuidString)"
    }

    open override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        removed += cacheNodes.compactMap { referenceObject(for: $0.objectID) as? String }
    }

    // MARK: Loading

    open override func load() throws {
        loads += 1
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return }
        guard let objects = try Self.content(at: url)["objects"] as? [[String: Any]] else {
            throw CocoaError(.fileReadCorruptFile)
        }
        var nodes: [String: NSAtomicStoreCacheNode] = [:]
        for object in objects {
            guard let node = node(object) else { throw CocoaError(.fileReadCorruptFile) }
            nodes[object["reference"] as? String ?? ""] = node
        }
        for object in objects {
            guard let node = nodes[object["reference"] as? String ?? ""] else { continue }
            for (name, relationship) in node.objectID.entity.relationshipsByName {
                let members = (object["~" + name] as? [String] ?? []).compactMap { nodes[$0] }
                guard relationship.isToMany else {
                    node.setValue(members.first, forKey: name)
                    continue
                }
                let collection: Any = relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
                node.setValue(collection, forKey: name)
            }
        }
        addCacheNodes(Set(nodes.values))
    }

    private func node(_ object: [String: Any]) -> NSAtomicStoreCacheNode? {
        guard let name = object["entity"] as? String, let reference = object["reference"] as? String,
            let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
        else { return nil }
        let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: reference))
        for (name, attribute) in entity.attributesByName {
            node.setValue(Self.value(object[name], attribute.attributeType), forKey: name)
        }
        return node
    }

    private static func value(_ stored: Any?, _ type: NSAttributeType) -> Any? {
        guard let stored else { return nil }
        return switch type {
        case .UUIDAttributeType: (stored as? String).flatMap { UUID(uuidString: $0) }
        case .URIAttributeType: (stored as? String).flatMap { URL(string: $0) }
        case .decimalAttributeType: (stored as? String).flatMap { NSDecimalNumber(string: $0) }
        case .doubleAttributeType, .floatAttributeType:
            (stored as? Data).map { NSNumber(value: $0.withUnsafeBytes { $0.loadUnaligned(as: Double.self) }) }
        case .dateAttributeType:
            (stored as? Data).map {
                Date(timeIntervalSinceReferenceDate: $0.withUnsafeBytes { $0.loadUnaligned(as: Double.self) })
            }
        default: stored
        }
    }

    // MARK: Saving

    open override func save() throws {
        saves += 1
        if let refusal { throw refusal }
        guard let url else { throw CocoaError(.fileNoSuchFile) }
        let content: [String: Any] = [
            "metadata": (metadata ?? [:]).filter { !($0.value is [AnyHashable]) },
            "objects": cacheNodes().map { object($0) },
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: content, format: .binary, options: 0)
        try data.write(to: url, options: .atomic)
    }

    private func object(_ node: NSAtomicStoreCacheNode) -> [String: Any] {
        var object: [String: Any] = [
            "entity": node.objectID.entity.name ?? "",
            "reference": referenceObject(for: node.objectID) as? String ?? "",
        ]
        for (name, attribute) in node.objectID.entity.attributesByName where !attribute.isTransient {
            object[name] = Self.stored(node.value(forKey: name), attribute.attributeType)
        }
        for name in node.objectID.entity.relationshipsByName.keys {
            let members: [Any] =
                switch node.value(forKey: name) {
                case let set as NSSet: set.allObjects
                case let set as NSOrderedSet: set.array
                case let node as NSAtomicStoreCacheNode: [node]
                default: []
                }
            object["~" + name] = members.compactMap { member in
                (member as? NSAtomicStoreCacheNode).flatMap { referenceObject(for: $0.objectID) as? String }
            }
        }
        return object
    }

    private static func stored(_ value: Any?, _ type: NSAttributeType) -> Any? {
        switch value {
        case nil, is NSNull: nil
        case let uuid as UUID: uuid.uuidString
        case let url as URL: url.absoluteString
        case let number as NSDecimalNumber: number.stringValue
        case let date as Date: withUnsafeBytes(of: date.timeIntervalSinceReferenceDate) { Data($0) }
        case let number as NSNumber where type == .doubleAttributeType || type == .floatAttributeType:
            withUnsafeBytes(of: number.doubleValue) { Data($0) }
        default: value
        }
    }
}
