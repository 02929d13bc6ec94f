public import Foundation
public import OpenCoreData
import Synchronization

/// What a made-up web service keeps: records by entity and name.
// @unchecked Sendable because everything is used under `lock`.
public final class RecordServer: @unchecked Sendable {
    /// Which record is meant.
    public struct Key: Hashable, Sendable {
        public var entity: String
        public var name: String

        public init(_ entity: String, _ name: String) {
            self.entity = entity
            self.name = name
        }
    }

    /// One record.
    public struct Record {
        public var values: [String: Any] = [:]
        public var toOne: [String: Key] = [:]
        public var toMany: [String: [Key]] = [:]
        public var version: UInt64 = 1

        public init(values: [String: Any] = [:]) { self.values = values }
    }

    private let lock = NSLock()
    private var kept: [Key: Record] = [:]
    private var noted: [String] = []
    private var next = 0
    private var refusal: (any Error)?
    public let identifier = UUID().uuidString

    private static let servers = Mutex<[URL: RecordServer]>([:])

    /// The server at a URL, the same for all who ask.
    public static func at(_ url: URL) -> RecordServer {
        servers.withLock { servers in
            if let known = servers[url] { return known }
            let made = RecordServer()
            servers[url] = made
            return made
        }
    }

    public var records: [Key: Record] {
        get { lock.withLock { kept } }
        set { lock.withLock { kept = newValue } }
    }

    /// What was asked, in order: "metadata", "fetch Author", "count Author", "values Author/1", "books of Author/1",
    /// "ids 2", "save 1 2 0".
    public var calls: [String] { lock.withLock { noted } }

    public func clearCalls() { lock.withLock { noted = [] } }

    public func note(_ call: String) { lock.withLock { noted.append(call) } }

    public func newName() -> String {
        lock.withLock {
            next += 1
            return "new-\(next)"
        }
    }

    /// The error that the next save, or permanent identifiers, shall fail with.
    public func refuse(with error: (any Error)?) { lock.withLock { refusal = error } }

    public func throwRefusal() throws {
        try lock.withLock {
            if let refusal { throw refusal }
        }
    }
}

/// An incremental store over a `RecordServer`, written with nothing but the public interface.
// @unchecked Sendable because the server locks, and the store itself keeps nothing.
open class RecordStore: NSIncrementalStore, @unchecked Sendable {
    public static let storeType = "RecordStore"

    public static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(RecordStore.self, forStoreType: storeType)
    }

    private var server: RecordServer { RecordServer.at(url ?? URL(fileURLWithPath: "/")) }

    open override var type: String { RecordStore.storeType }

    open override func loadMetadata() throws {
        server.note("metadata")
        metadata = [NSStoreUUIDKey: server.identifier, NSStoreTypeKey: RecordStore.storeType]
    }

    open override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
        for id in objectIDs { server.note("register \(key(id).entity)/\(key(id).name)") }
    }

    open override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
        for id in objectIDs { server.note("unregister \(key(id).entity)/\(key(id).name)") }
    }

    // MARK: Identifiers

    private func key(_ id: NSManagedObjectID) -> RecordServer.Key {
        RecordServer.Key(id.entity.name ?? "", referenceObject(for: id) as? String ?? "")
    }

    private func id(_ key: RecordServer.Key) throws -> NSManagedObjectID {
        guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[key.entity] else {
            throw CocoaError(.coreData)
        }
        return newObjectID(for: entity, referenceObject: key.name)
    }

    open override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        server.note("ids \(array.count)")
        try server.throwRefusal()
        return array.map { newObjectID(for: $0.entity, referenceObject: server.newName()) }
    }

    // MARK: Requests

    open override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any
    {
        switch request {
        case let fetch as NSFetchRequest<any NSFetchRequestResult>:
            guard let context else { throw CocoaError(.coreData) }
            return try answer(fetch, context)
        case let save as NSSaveChangesRequest:
            return try carryOut(save)
        default:
            throw CocoaError(.persistentStoreUnsupportedRequestType)
        }
    }

    private func answer(_ request: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext) throws
        -> Any
    {
        let name = request.entityName ?? ""
        server.note("\(request.resultType == .countResultType ? "count" : "fetch") \(name)")
        guard let entity = request.entity else { throw CocoaError(.coreData) }
        let keys = server.records.keys.filter { key in
            guard let other = persistentStoreCoordinator?.managedObjectModel.entitiesByName[key.entity] else {
                return false
            }
            return request.includesSubentities ? other.isKindOf(entity: entity) : other == entity
        }.sorted { ($0.name.count, $0.name) < ($1.name.count, $1.name) }
        var objects = try keys.map { context.object(with: try id($0)) }
        if let predicate = request.predicate { objects = objects.filter { predicate.evaluate(with: $0) } }
        if let descriptors = request.sortDescriptors, !descriptors.isEmpty {
            objects = NSArray(array: objects).sortedArray(using: descriptors).compactMap { $0 as? NSManagedObject }
        }
        objects = Array(objects.dropFirst(request.fetchOffset))
        if request.fetchLimit > 0 { objects = Array(objects.prefix(request.fetchLimit)) }
        switch request.resultType {
        case .managedObjectIDResultType: return objects.map(\.objectID)
        case .countResultType: return [NSNumber(value: objects.count)]
        case .dictionaryResultType: return objects.map { dictionary(of: $0, request) }
        default: return objects
        }
    }

    private func dictionary(of object: NSManagedObject, _ request: NSFetchRequest<any NSFetchRequestResult>)
        -> [String: Any]
    {
        let names =
            request.propertiesToFetch?.compactMap { ($0 as? NSPropertyDescription)?.name ?? $0 as? String }
            ?? Array(object.entity.attributesByName.filter { !$0.value.isTransient }.keys)
        return names.reduce(into: [:]) { result, name in result[name] = object.value(forKey: name) }
    }

    private func carryOut(_ request: NSSaveChangesRequest) throws -> Any {
        let inserted = request.insertedObjects ?? []
        let updated = request.updatedObjects ?? []
        let deleted = request.deletedObjects ?? []
        server.note("save \(inserted.count) \(updated.count) \(deleted.count)")
        try server.throwRefusal()
        var records = server.records
        for object in inserted { records[key(object.objectID)] = record(of: object, version: 1) }
        for object in updated {
            let version = records[key(object.objectID)]?.version ?? 0
            records[key(object.objectID)] = record(of: object, version: version + 1)
        }
        for object in deleted { records[key(object.objectID)] = nil }
        server.records = records
        return [Any]()
    }

    private func record(of object: NSManagedObject, version: UInt64) -> RecordServer.Record {
        var record = RecordServer.Record()
        record.version = version
        for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
            record.values[name] = object.value(forKey: name)
        }
        for (name, relationship) in object.entity.relationshipsByName {
            let keys = object.objectIDs(forRelationshipNamed: name).map { key($0) }
            if relationship.isToMany { record.toMany[name] = keys } else { record.toOne[name] = keys.first }
        }
        return record
    }

    // MARK: Faults

    open override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        let key = key(objectID)
        server.note("values \(key.entity)/\(key.name)")
        guard let record = server.records[key] else {
            throw CocoaError(CocoaError.Code(rawValue: NSManagedObjectReferentialIntegrityError))
        }
        return NSIncrementalStoreNode(objectID: objectID, withValues: record.values, version: record.version)
    }

    open override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        let key = key(objectID)
        server.note("\(relationship.name) of \(key.entity)/\(key.name)")
        let record = server.records[key]
        if relationship.isToMany { return try (record?.toMany[relationship.name] ?? []).map { try id($0) } }
        return try record?.toOne[relationship.name].map { try id($0) } ?? NSNull()
    }
}
