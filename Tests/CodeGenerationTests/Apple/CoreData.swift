// Names of Apple's Core Data without what they do: see Scripts/make-apple-stub, which wrote this file.
// swift-format-ignore-file
@_exported public import Foundation

open class NSAsynchronousFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
    open var completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)? { fatalError() }
    open var estimatedResultCount: Int { get { fatalError() } set {} }
    open var fetchRequest: NSFetchRequest<ResultType> { fatalError() }
    override public init() { fatalError() }
    public init(fetchRequest request: NSFetchRequest<ResultType>, completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil) { fatalError() }
}

open class NSAsynchronousFetchResult<ResultType: NSFetchRequestResult>: NSPersistentStoreAsynchronousResult {
    open var fetchRequest: NSAsynchronousFetchRequest<ResultType> { fatalError() }
    open var finalResult: [ResultType]? { fatalError() }
    override public init() { fatalError() }
}

open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
    open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) { fatalError() }
    open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? { fatalError() }
    open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { fatalError() }
    override public init(persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL, options: [AnyHashable : Any]? = nil) { fatalError() }
    open func load() throws { fatalError() }
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode { fatalError() }
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any { fatalError() }
    open func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID { fatalError() }
    open func referenceObject(for objectID: NSManagedObjectID) -> Any { fatalError() }
    open func save() throws { fatalError() }
    open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) { fatalError() }
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) { fatalError() }
    public override init() { fatalError() }
}

open class NSAtomicStoreCacheNode: NSObject {
    public init(objectID moid: NSManagedObjectID) { fatalError() }
    open var objectID: NSManagedObjectID { fatalError() }
    open var propertyCache: NSMutableDictionary? { get { fatalError() } set {} }
    open func setValue(_ value: Any?, forKey key: String) { fatalError() }
    open func value(forKey key: String) -> Any? { fatalError() }
    public override init() { fatalError() }
}

open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
    public struct AttributeType: Hashable, Sendable {
        public static var binaryData: NSAttributeDescription.AttributeType { fatalError() }
        public static var boolean: NSAttributeDescription.AttributeType { fatalError() }
        public static var composite: NSAttributeDescription.AttributeType { fatalError() }
        public static var date: NSAttributeDescription.AttributeType { fatalError() }
        public static var decimal: NSAttributeDescription.AttributeType { fatalError() }
        public static var double: NSAttributeDescription.AttributeType { fatalError() }
        public static var float: NSAttributeDescription.AttributeType { fatalError() }
        public init(rawValue: NSAttributeType) { fatalError() }
        public static var integer16: NSAttributeDescription.AttributeType { fatalError() }
        public static var integer32: NSAttributeDescription.AttributeType { fatalError() }
        public static var integer64: NSAttributeDescription.AttributeType { fatalError() }
        public static var objectID: NSAttributeDescription.AttributeType { fatalError() }
        public var rawValue: NSAttributeType { get { fatalError() } set {} }
        public static var string: NSAttributeDescription.AttributeType { fatalError() }
        public static var transformable: NSAttributeDescription.AttributeType { fatalError() }
        public static var undefined: NSAttributeDescription.AttributeType { fatalError() }
        public static var uri: NSAttributeDescription.AttributeType { fatalError() }
        public static var uuid: NSAttributeDescription.AttributeType { fatalError() }
    }
    open var allowsCloudEncryption: Bool { get { fatalError() } set {} }
    open var allowsExternalBinaryDataStorage: Bool { get { fatalError() } set {} }
    open var attributeType: NSAttributeType { get { fatalError() } set {} }
    open var attributeValueClassName: String? { get { fatalError() } set {} }
    open var defaultValue: Any? { get { fatalError() } set {} }
    override public init() { fatalError() }
    open var preservesValueInHistoryOnDeletion: Bool { get { fatalError() } set {} }
    open var type: NSAttributeDescription.AttributeType { get { fatalError() } set {} }
    open var valueTransformerName: String? { get { fatalError() } set {} }
}

public enum NSAttributeType: UInt, Sendable {
    case URIAttributeType
    case UUIDAttributeType
    case binaryDataAttributeType
    case booleanAttributeType
    case compositeAttributeType
    case dateAttributeType
    case decimalAttributeType
    case doubleAttributeType
    case floatAttributeType
    case integer16AttributeType
    case integer32AttributeType
    case integer64AttributeType
    case objectIDAttributeType
    case stringAttributeType
    case transformableAttributeType
    case undefinedAttributeType
}

open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult> { fatalError() }
    public init<ResultType>(fetchRequest fetch: NSFetchRequest<ResultType>) { fatalError() }
    public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) { fatalError() }
    public init(objectIDs objects: [NSManagedObjectID]) { fatalError() }
    open var resultType: NSBatchDeleteRequestResultType { get { fatalError() } set {} }
    public override init() { fatalError() }
}

public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    case resultTypeCount
    case resultTypeObjectIDs
    case resultTypeStatusOnly
}

open class NSBatchDeleteResult: NSPersistentStoreResult {
    override public init() { fatalError() }
    open var result: Any? { fatalError() }
    open var resultType: NSBatchDeleteRequestResultType { fatalError() }
}

open class NSBatchInsertRequest: NSPersistentStoreRequest {
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)? { get { fatalError() } set {} }
    open var entity: NSEntityDescription? { fatalError() }
    open var entityName: String { fatalError() }
    override public init() { fatalError() }
    public init(entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) { fatalError() }
    public init(entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) { fatalError() }
    public init(entity: NSEntityDescription, objects dictionaries: [[String : Any]]) { fatalError() }
    public init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) { fatalError() }
    public init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) { fatalError() }
    public init(entityName: String, objects dictionaries: [[String : Any]]) { fatalError() }
    open var managedObjectHandler: ((NSManagedObject) -> Bool)? { get { fatalError() } set {} }
    open var objectsToInsert: [[String : Any]]? { get { fatalError() } set {} }
    open var resultType: NSBatchInsertRequestResultType { get { fatalError() } set {} }
}

public enum NSBatchInsertRequestResultType: UInt, Sendable {
    case count
    case objectIDs
    case statusOnly
}

open class NSBatchInsertResult: NSPersistentStoreResult {
    override public init() { fatalError() }
    open var result: Any? { fatalError() }
    open var resultType: NSBatchInsertRequestResultType { fatalError() }
}

open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    open var entity: NSEntityDescription { fatalError() }
    open var entityName: String { fatalError() }
    open var includesSubentities: Bool { get { fatalError() } set {} }
    override public init() { fatalError() }
    public init(entity: NSEntityDescription) { fatalError() }
    public init(entityName: String) { fatalError() }
    open var predicate: NSPredicate? { get { fatalError() } set {} }
    open var propertiesToUpdate: [AnyHashable : Any]? { get { fatalError() } set {} }
    open var resultType: NSBatchUpdateRequestResultType { get { fatalError() } set {} }
}

public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    case statusOnlyResultType
    case updatedObjectIDsResultType
    case updatedObjectsCountResultType
}

open class NSBatchUpdateResult: NSPersistentStoreResult {
    override public init() { fatalError() }
    open var result: Any? { fatalError() }
    open var resultType: NSBatchUpdateRequestResultType { fatalError() }
}

open class NSComparisonPredicate: NSPredicate {
    public enum Modifier: UInt, Sendable {
        case all
        case any
        case direct
    }
    public enum Operator: UInt, Sendable {
        case beginsWith
        case between
        case contains
        case customSelector
        case endsWith
        case equalTo
        case greaterThan
        case greaterThanOrEqualTo
        case `in`
        case lessThan
        case lessThanOrEqualTo
        case like
        case matches
        case notEqualTo
    }
    public struct Options: OptionSet, Sendable {
        public static var caseInsensitive: NSComparisonPredicate.Options { fatalError() }
        public static var diacriticInsensitive: NSComparisonPredicate.Options { fatalError() }
        public init<S>(_ sequence: S) where S : Sequence, Self.Element == S.Element { fatalError() }
        public init(rawValue: UInt) { fatalError() }
        public static var normalized: NSComparisonPredicate.Options { fatalError() }
        public var rawValue: UInt { fatalError() }
    }
    open var comparisonPredicateModifier: NSComparisonPredicate.Modifier { fatalError() }
    open var customSelector: Selector? { fatalError() }
    public init(leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, customSelector: Selector) { fatalError() }
    public init(leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: NSComparisonPredicate.Modifier = .direct, type: NSComparisonPredicate.Operator, options: NSComparisonPredicate.Options = []) { fatalError() }
    open var leftExpression: NSExpression { fatalError() }
    open var options: NSComparisonPredicate.Options { fatalError() }
    open var predicateOperatorType: NSComparisonPredicate.Operator { fatalError() }
    open var rightExpression: NSExpression { fatalError() }
    public override init() { fatalError() }
}

open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    open var elements: [NSAttributeDescription] { get { fatalError() } set {} }
    override public init() { fatalError() }
}

open class NSCompoundPredicate: NSPredicate {
    public enum LogicalType: UInt, Sendable {
        case and
        case not
        case or
    }
    open var compoundPredicateType: NSCompoundPredicate.LogicalType { fatalError() }
    public init(andPredicateWithSubpredicates subpredicates: [NSPredicate]) { fatalError() }
    public init(notPredicateWithSubpredicate predicate: NSPredicate) { fatalError() }
    public init(orPredicateWithSubpredicates subpredicates: [NSPredicate]) { fatalError() }
    public init(type: NSCompoundPredicate.LogicalType, subpredicates: [NSPredicate]) { fatalError() }
    open var subpredicates: [Any] { fatalError() }
    public override init() { fatalError() }
}

open class NSConstraintConflict: NSObject {
    open var conflictingObjects: [NSManagedObject] { fatalError() }
    open var conflictingSnapshots: [[AnyHashable : Any]] { fatalError() }
    open var constraint: [String] { fatalError() }
    open var constraintValues: [String : Any] { fatalError() }
    open var databaseObject: NSManagedObject? { fatalError() }
    open var databaseSnapshot: [String : Any]? { fatalError() }
    override public init() { fatalError() }
    public init(constraint contraint: [String], database databaseObject: NSManagedObject?, databaseSnapshot: [AnyHashable : Any]?, conflicting conflictingObjects: [NSManagedObject], conflictingSnapshots: [Any]) { fatalError() }
}

open class NSCustomMigrationStage: NSMigrationStage {
    open var currentModel: NSManagedObjectModelReference { fatalError() }
    open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)? { get { fatalError() } set {} }
    public init(migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference) { fatalError() }
    open var nextModel: NSManagedObjectModelReference { fatalError() }
    open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)? { get { fatalError() } set {} }
    public override init() { fatalError() }
}

public enum NSDeleteRule: UInt, Sendable {
    case cascadeDeleteRule
    case denyDeleteRule
    case noActionDeleteRule
    case nullifyDeleteRule
}

open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    open var derivationExpression: NSExpression? { get { fatalError() } set {} }
    override public init() { fatalError() }
}

open class NSDiffableDataSourceSnapshotReference: NSObject {
    open func appendItems(withIdentifiers identifiers: [Any]) { fatalError() }
    open func appendItems(withIdentifiers identifiers: [Any], intoSectionWithIdentifier sectionIdentifier: Any) { fatalError() }
    open func appendSections(withIdentifiers sectionIdentifiers: [Any]) { fatalError() }
    open func deleteAllItems() { fatalError() }
    open func deleteItems(withIdentifiers identifiers: [Any]) { fatalError() }
    open func deleteSections(withIdentifiers identifiers: [Any]) { fatalError() }
    open func index(ofItemIdentifier itemIdentifier: Any) -> Int { fatalError() }
    open func index(ofSectionIdentifier sectionIdentifier: Any) -> Int { fatalError() }
    override public init() { fatalError() }
    open var itemIdentifiers: [Any] { fatalError() }
    open func itemIdentifiersInSection(withIdentifier sectionIdentifier: Any) -> [Any] { fatalError() }
    open var numberOfItems: Int { fatalError() }
    open func numberOfItems(inSection sectionIdentifier: Any) -> Int { fatalError() }
    open var numberOfSections: Int { fatalError() }
    open func reconfigureItems(withIdentifiers identifiers: [Any]) { fatalError() }
    open var reconfiguredItemIdentifiers: [Any] { fatalError() }
    open func reloadItems(withIdentifiers identifiers: [Any]) { fatalError() }
    open func reloadSections(withIdentifiers identifiers: [Any]) { fatalError() }
    open var reloadedItemIdentifiers: [Any] { fatalError() }
    open var reloadedSectionIdentifiers: [Any] { fatalError() }
    open func sectionIdentifier(forSectionContainingItemIdentifier itemIdentifier: Any) -> Any? { fatalError() }
    open var sectionIdentifiers: [Any] { fatalError() }
}

open class NSEntityDescription: NSObject, @unchecked Sendable {
    open var attributesByName: [String : NSAttributeDescription] { fatalError() }
    open var compoundIndexes: [[Any]] { get { fatalError() } set {} }
    open class func entity(forEntityName entityName: String, in context: NSManagedObjectContext) -> NSEntityDescription? { fatalError() }
    open var indexes: [NSFetchIndexDescription] { get { fatalError() } set {} }
    override public init() { fatalError() }
    open class func insertNewObject(forEntityName entityName: String, into context: NSManagedObjectContext) -> NSManagedObject { fatalError() }
    open var isAbstract: Bool { get { fatalError() } set {} }
    open func isKindOf(entity: NSEntityDescription) -> Bool { fatalError() }
    open var managedObjectClassName: String! { get { fatalError() } set {} }
    open var managedObjectModel: NSManagedObjectModel { fatalError() }
    open var name: String? { get { fatalError() } set {} }
    open var properties: [NSPropertyDescription] { get { fatalError() } set {} }
    open var propertiesByName: [String : NSPropertyDescription] { fatalError() }
    open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] { fatalError() }
    open var relationshipsByName: [String : NSRelationshipDescription] { fatalError() }
    open var renamingIdentifier: String? { get { fatalError() } set {} }
    open var subentities: [NSEntityDescription] { get { fatalError() } set {} }
    open var subentitiesByName: [String : NSEntityDescription] { fatalError() }
    open var superentity: NSEntityDescription? { fatalError() }
    open var uniquenessConstraints: [[Any]] { get { fatalError() } set {} }
    open var userInfo: [AnyHashable : Any]? { get { fatalError() } set {} }
    open var versionHash: Data { fatalError() }
    open var versionHashModifier: String? { get { fatalError() } set {} }
}

open class NSEntityMapping: NSObject {
    open var attributeMappings: [NSPropertyMapping]? { get { fatalError() } set {} }
    open var destinationEntityName: String? { get { fatalError() } set {} }
    open var destinationEntityVersionHash: Data? { get { fatalError() } set {} }
    open var entityMigrationPolicyClassName: String? { get { fatalError() } set {} }
    override public init() { fatalError() }
    open var mappingType: NSEntityMappingType { get { fatalError() } set {} }
    open var name: String! { get { fatalError() } set {} }
    open var relationshipMappings: [NSPropertyMapping]? { get { fatalError() } set {} }
    open var sourceEntityName: String? { get { fatalError() } set {} }
    open var sourceEntityVersionHash: Data? { get { fatalError() } set {} }
    open var sourceExpression: NSExpression? { get { fatalError() } set {} }
    open var userInfo: [AnyHashable : Any]? { get { fatalError() } set {} }
}

public enum NSEntityMappingType: UInt, Sendable {
    case addEntityMappingType
    case copyEntityMappingType
    case customEntityMappingType
    case removeEntityMappingType
    case transformEntityMappingType
    case undefinedEntityMappingType
}

open class NSEntityMigrationPolicy: NSObject {
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws { fatalError() }
    open func createDestinationInstances(forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager) throws { fatalError() }
    open func createRelationships(forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager) throws { fatalError() }
    open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws { fatalError() }
    open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws { fatalError() }
    open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws { fatalError() }
    override public init() { fatalError() }
    open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws { fatalError() }
}

open class NSExpression: NSObject {
    public enum ExpressionType: UInt, Sendable {
        case aggregate
        case anyKey
        case block
        case conditional
        case constantValue
        case evaluatedObject
        case fetchRequest
        case function
        case intersectSet
        case keyPath
        case minusSet
        case subquery
        case unionSet
        case variable
    }
    open func allowEvaluation() { fatalError() }
    open var arguments: [NSExpression]? { fatalError() }
    open var collection: Any { fatalError() }
    open var constantValue: Any? { fatalError() }
    open var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any { fatalError() }
    open class func expressionForAnyKey() -> NSExpression { fatalError() }
    open class func expressionForEvaluatedObject() -> NSExpression { fatalError() }
    open var expressionType: NSExpression.ExpressionType { fatalError() }
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? { fatalError() }
    open var `false`: NSExpression { fatalError() }
    open var function: String { fatalError() }
    override public init() { fatalError() }
    public init(block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?) { fatalError() }
    public init(expressionType type: NSExpression.ExpressionType) { fatalError() }
    public init(forAggregate subexpressions: [Any]) { fatalError() }
    public init(forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression) { fatalError() }
    public init(forConstantValue value: Any?) { fatalError() }
    public init(forFunction name: String, arguments parameters: [Any]) { fatalError() }
    public init(forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?) { fatalError() }
    public init(forIntersectSet left: NSExpression, with right: NSExpression) { fatalError() }
    public init(forKeyPath keyPath: String) { fatalError() }
    public init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) { fatalError() }
    public init(forMinusSet left: NSExpression, with right: NSExpression) { fatalError() }
    public init(forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate) { fatalError() }
    public init(forUnionSet left: NSExpression, with right: NSExpression) { fatalError() }
    public init(forVariable string: String) { fatalError() }
    public init(format expressionFormat: String, _ args: any CVarArg...) { fatalError() }
    public init(format expressionFormat: String, argumentArray arguments: [Any]) { fatalError() }
    open var keyPath: String { fatalError() }
    open var left: NSExpression { fatalError() }
    open var operand: NSExpression { fatalError() }
    open var predicate: NSPredicate { fatalError() }
    open var right: NSExpression { fatalError() }
    open var `true`: NSExpression { fatalError() }
    open var variable: String { fatalError() }
}

open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
    open var expression: NSExpression? { get { fatalError() } set {} }
    open var expressionResultType: NSAttributeType { get { fatalError() } set {} }
    override public init() { fatalError() }
    open var resultType: NSAttributeDescription.AttributeType { get { fatalError() } set {} }
}

open class NSFetchIndexDescription: NSObject, @unchecked Sendable {
    open var elements: [NSFetchIndexElementDescription] { get { fatalError() } set {} }
    open var entity: NSEntityDescription? { fatalError() }
    public init(name: String, elements: [NSFetchIndexElementDescription]?) { fatalError() }
    open var name: String { get { fatalError() } set {} }
    open var partialIndexPredicate: NSPredicate? { get { fatalError() } set {} }
    public override init() { fatalError() }
}

open class NSFetchIndexElementDescription: NSObject, @unchecked Sendable {
    open var collationType: NSFetchIndexElementType { get { fatalError() } set {} }
    open var indexDescription: NSFetchIndexDescription? { fatalError() }
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) { fatalError() }
    open var isAscending: Bool { get { fatalError() } set {} }
    open var property: NSPropertyDescription? { fatalError() }
    open var propertyName: String? { fatalError() }
    public override init() { fatalError() }
}

public enum NSFetchIndexElementType: UInt, Sendable {
    case binary
    case rTree
}

open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
    open var entity: NSEntityDescription? { get { fatalError() } set {} }
    open var entityName: String? { fatalError() }
    open func execute() throws -> [ResultType] { fatalError() }
    open var fetchBatchSize: Int { get { fatalError() } set {} }
    open var fetchLimit: Int { get { fatalError() } set {} }
    open var fetchOffset: Int { get { fatalError() } set {} }
    open var havingPredicate: NSPredicate? { get { fatalError() } set {} }
    open var includesPendingChanges: Bool { get { fatalError() } set {} }
    open var includesPropertyValues: Bool { get { fatalError() } set {} }
    open var includesSubentities: Bool { get { fatalError() } set {} }
    override public init() { fatalError() }
    public init(entityName: String) { fatalError() }
    open var predicate: NSPredicate? { get { fatalError() } set {} }
    open var propertiesToFetch: [Any]? { get { fatalError() } set {} }
    open var propertiesToGroupBy: [Any]? { get { fatalError() } set {} }
    open var relationshipKeyPathsForPrefetching: [String]? { get { fatalError() } set {} }
    open var resultType: NSFetchRequestResultType { get { fatalError() } set {} }
    open var returnsDistinctResults: Bool { get { fatalError() } set {} }
    open var returnsObjectsAsFaults: Bool { get { fatalError() } set {} }
    open var shouldRefreshRefetchedObjects: Bool { get { fatalError() } set {} }
    open var sortDescriptors: [NSSortDescriptor]? { get { fatalError() } set {} }
}

open class NSFetchRequestExpression: NSExpression {
    open var contextExpression: NSExpression { fatalError() }
    open class func expression(forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool) -> NSExpression { fatalError() }
    override public init() { fatalError() }
    open var isCountOnlyRequest: Bool { fatalError() }
    open var requestExpression: NSExpression { fatalError() }
}

@_marker public protocol NSFetchRequestResult {
}

public struct NSFetchRequestResultType: OptionSet, Sendable {
    public static var countResultType: NSFetchRequestResultType { fatalError() }
    public static var dictionaryResultType: NSFetchRequestResultType { fatalError() }
    public init(rawValue: UInt) { fatalError() }
    public static var managedObjectIDResultType: NSFetchRequestResultType { fatalError() }
    public static var managedObjectResultType: NSFetchRequestResultType { fatalError() }
    public var rawValue: UInt
}

open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { get { fatalError() } set {} }
    override public init() { fatalError() }
}

public enum NSFetchedResultsChangeType: UInt, Sendable {
    case delete
    case insert
    case move
    case update
}

open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject {
    open var cacheName: String? { fatalError() }
    open var delegate: (any NSFetchedResultsControllerDelegate)? { get { fatalError() } set {} }
    open class func deleteCache(withName name: String?) { fatalError() }
    open var fetchRequest: NSFetchRequest<ResultType> { fatalError() }
    open var fetchedObjects: [ResultType]? { fatalError() }
    open func indexPath(forObject object: ResultType) -> IndexPath? { fatalError() }
    public init(fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext, sectionNameKeyPath: String?, cacheName name: String?) { fatalError() }
    open var managedObjectContext: NSManagedObjectContext { fatalError() }
    open func object(at indexPath: IndexPath) -> ResultType { fatalError() }
    open func performFetch() throws { fatalError() }
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int { fatalError() }
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? { fatalError() }
    open var sectionIndexTitles: [String] { fatalError() }
    open var sectionNameKeyPath: String? { fatalError() }
    open var sections: [any NSFetchedResultsSectionInfo]? { fatalError() }
    public override init() { fatalError() }
}

public protocol NSFetchedResultsControllerDelegate {
    func controller(_ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)
    func controller(_ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType)
    func controller(_ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)
    func controller(_ controller: NSFetchedResultsController<any NSFetchRequestResult>, sectionIndexTitleForSectionName sectionName: String) -> String?
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)
}
extension NSFetchedResultsControllerDelegate {
    public func controller(_ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?) { fatalError() }
    public func controller(_ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType) { fatalError() }
    public func controller(_ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>) { fatalError() }
    public func controller(_ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference) { fatalError() }
    public func controller(_ controller: NSFetchedResultsController<any NSFetchRequestResult>, sectionIndexTitleForSectionName sectionName: String) -> String? { fatalError() }
    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) { fatalError() }
    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) { fatalError() }
}

public protocol NSFetchedResultsSectionInfo {
    var indexTitle: String? { get }
    var name: String { get }
    var numberOfObjects: Int { get }
    var objects: [Any]? { get }
}

open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any { fatalError() }
    open class func identifierForNewStore(at storeURL: URL) -> Any { fatalError() }
    override public init(persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL, options: [AnyHashable : Any]? = nil) { fatalError() }
    override open func loadMetadata() throws { fatalError() }
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) { fatalError() }
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) { fatalError() }
    open func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID { fatalError() }
    open func newValue(forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?) throws -> Any { fatalError() }
    open func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws -> NSIncrementalStoreNode { fatalError() }
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] { fatalError() }
    open func referenceObject(for objectID: NSManagedObjectID) -> Any { fatalError() }
    public override init() { fatalError() }
}

open class NSIncrementalStoreNode: NSObject {
    public init(objectID: NSManagedObjectID, withValues values: [String : Any], version: UInt64) { fatalError() }
    open var objectID: NSManagedObjectID { fatalError() }
    open func update(withValues values: [String : Any], version: UInt64) { fatalError() }
    open func value(for prop: NSPropertyDescription) -> Any? { fatalError() }
    open var version: UInt64 { fatalError() }
    public override init() { fatalError() }
}

open class NSLightweightMigrationStage: NSMigrationStage {
    public init(_ versionChecksums: [String]) { fatalError() }
    open var versionChecksums: [String] { fatalError() }
    public override init() { fatalError() }
}

open class NSManagedObject: NSObject, NSFetchRequestResult {
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) { fatalError() }
    open func awakeFromFetch() { fatalError() }
    open func awakeFromInsert() { fatalError() }
    open func changedValues() -> [String : Any] { fatalError() }
    open func changedValuesForCurrentEvent() -> [String : Any] { fatalError() }
    open func committedValues(forKeys keys: [String]?) -> [String : Any] { fatalError() }
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { fatalError() }
    open func dictionaryWithValues(forKeys keys: [String]) -> [String : Any] { fatalError() }
    open func didAccessValue(forKey key: String?) { fatalError() }
    open func didChangeValue(forKey key: String) { fatalError() }
    open func didSave() { fatalError() }
    open func didTurnIntoFault() { fatalError() }
    open var entity: NSEntityDescription { fatalError() }
    open class func entity() -> NSEntityDescription { fatalError() }
    open var faultingState: Int { fatalError() }
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> { fatalError() }
    open var hasChanges: Bool { fatalError() }
    open func hasFault(forRelationshipNamed key: String) -> Bool { fatalError() }
    open var hasPersistentChangedValues: Bool { fatalError() }
    override public init() { fatalError() }
    public required init(context: NSManagedObjectContext) { fatalError() }
    public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) { fatalError() }
    open var isDeleted: Bool { fatalError() }
    open var isFault: Bool { fatalError() }
    open var isInserted: Bool { fatalError() }
    open var isUpdated: Bool { fatalError() }
    open var managedObjectContext: NSManagedObjectContext? { fatalError() }
    open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet { fatalError() }
    open func mutableSetValue(forKey key: String) -> NSMutableSet { fatalError() }
    open var objectID: NSManagedObjectID { fatalError() }
    open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] { fatalError() }
    open func prepareForDeletion() { fatalError() }
    open func primitiveValue(forKey key: String) -> Any? { fatalError() }
    open func setPrimitiveValue(_ value: Any?, forKey key: String) { fatalError() }
    open func setValue(_ value: Any?, forKey key: String) { fatalError() }
    open func setValue(_ value: Any?, forKeyPath keyPath: String) { fatalError() }
    open func setValuesForKeys(_ keyedValues: [String : Any]) { fatalError() }
    open func validateForDelete() throws { fatalError() }
    open func validateForInsert() throws { fatalError() }
    open func validateForUpdate() throws { fatalError() }
    open func validateValue(_ value: inout Any?, forKey key: String) throws { fatalError() }
    open func value(forKey key: String) -> Any? { fatalError() }
    open func value(forKeyPath keyPath: String) -> Any? { fatalError() }
    open func willAccessValue(forKey key: String?) { fatalError() }
    open func willChangeValue(forKey key: String) { fatalError() }
    open func willSave() { fatalError() }
    open func willTurnIntoFault() { fatalError() }
}

open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    public struct ConcurrencyType: Hashable, Sendable {
        public init(rawValue: NSManagedObjectContextConcurrencyType) { fatalError() }
        public static var mainQueue: NSManagedObjectContext.ConcurrencyType { fatalError() }
        public static var privateQueue: NSManagedObjectContext.ConcurrencyType { fatalError() }
        public var rawValue: NSManagedObjectContextConcurrencyType { get { fatalError() } set {} }
    }
    public enum NotificationKey: String, Sendable {
        case deletedObjectIDs
        case deletedObjects
        case insertedObjectIDs
        case insertedObjects
        case invalidatedAllObjects
        case invalidatedObjectIDs
        case invalidatedObjects
        case queryGeneration
        case refreshedObjectIDs
        case refreshedObjects
        case updatedObjectIDs
        case updatedObjects
    }
    public enum ScheduledTaskType: Sendable {
        case enqueued
        case immediate
    }
    open func assign(_ object: Any, to store: NSPersistentStore) { fatalError() }
    open var automaticallyMergesChangesFromParent: Bool { get { fatalError() } set {} }
    open var concurrencyType: NSManagedObjectContextConcurrencyType { fatalError() }
    open func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int { fatalError() }
    open func count<T>(for request: NSFetchRequest<T>) throws -> Int { fatalError() }
    open func delete(_ object: NSManagedObject) { fatalError() }
    open var deletedObjects: Set<NSManagedObject> { fatalError() }
    open func detectConflicts(for object: NSManagedObject) { fatalError() }
    public static var didChangeObjectsNotification: Notification.Name { fatalError() }
    public static var didMergeChangesObjectIDsNotification: Notification.Name { fatalError() }
    public static var didSaveObjectIDsNotification: Notification.Name { fatalError() }
    public static var didSaveObjectsNotification: Notification.Name { fatalError() }
    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult { fatalError() }
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject { fatalError() }
    open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] { fatalError() }
    open func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] { fatalError() }
    open var hasChanges: Bool { fatalError() }
    public init(_ type: NSManagedObjectContext.ConcurrencyType) { fatalError() }
    public init(concurrencyType: NSManagedObjectContextConcurrencyType) { fatalError() }
    open func insert(_ object: NSManagedObject) { fatalError() }
    open var insertedObjects: Set<NSManagedObject> { fatalError() }
    open func mergeChanges(fromContextDidSave notification: Notification) { fatalError() }
    open class func mergeChanges(fromRemoteContextSave changeNotificationData: [AnyHashable : Any], into contexts: [NSManagedObjectContext]) { fatalError() }
    open var mergePolicy: Any { get { fatalError() } set {} }
    open var name: String? { get { fatalError() } set {} }
    open func object(with objectID: NSManagedObjectID) -> NSManagedObject { fatalError() }
    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws { fatalError() }
    open var parent: NSManagedObjectContext? { get { fatalError() } set {} }
    open func perform(_ block: @escaping () -> Void) { fatalError() }
    open func perform<T>(schedule: NSManagedObjectContext.ScheduledTaskType = .immediate, _ block: @escaping () throws -> T) async rethrows -> T { fatalError() }
    open func performAndWait(_ block: () -> Void) { fatalError() }
    open func performAndWait<T>(_ block: () throws -> T) rethrows -> T { fatalError() }
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? { get { fatalError() } set {} }
    open func processPendingChanges() { fatalError() }
    open var propagatesDeletesAtEndOfEvent: Bool { get { fatalError() } set {} }
    open var queryGenerationToken: NSQueryGenerationToken? { fatalError() }
    open func redo() { fatalError() }
    open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) { fatalError() }
    open func refreshAllObjects() { fatalError() }
    open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? { fatalError() }
    open var registeredObjects: Set<NSManagedObject> { fatalError() }
    open func reset() { fatalError() }
    open var retainsRegisteredObjects: Bool { get { fatalError() } set {} }
    open func rollback() { fatalError() }
    open func save() throws { fatalError() }
    open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws { fatalError() }
    open var shouldDeleteInaccessibleFaults: Bool { get { fatalError() } set {} }
    open func shouldHandleInaccessibleFault(_ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?) -> Bool { fatalError() }
    open var stalenessInterval: TimeInterval { get { fatalError() } set {} }
    open var transactionAuthor: String? { get { fatalError() } set {} }
    open func undo() { fatalError() }
    open var undoManager: UndoManager? { get { fatalError() } set {} }
    open var updatedObjects: Set<NSManagedObject> { fatalError() }
    open var userInfo: NSMutableDictionary { fatalError() }
    public static var willSaveObjectsNotification: Notification.Name { fatalError() }
    public override init() { fatalError() }
}

public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    case confinementConcurrencyType
    case mainQueueConcurrencyType
    case privateQueueConcurrencyType
}

open class NSManagedObjectID: NSObject, NSFetchRequestResult, @unchecked Sendable {
    open var entity: NSEntityDescription { fatalError() }
    open var isTemporaryID: Bool { fatalError() }
    open var persistentStore: NSPersistentStore? { fatalError() }
    open func uriRepresentation() -> URL { fatalError() }
    public override init() { fatalError() }
}

open class NSManagedObjectModel: NSObject, @unchecked Sendable {
    open var configurations: [String] { fatalError() }
    open var entities: [NSEntityDescription] { get { fatalError() } set {} }
    open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? { fatalError() }
    open var entitiesByName: [String : NSEntityDescription] { fatalError() }
    open var entityVersionHashesByName: [String : Data] { fatalError() }
    open func fetchRequestFromTemplate(withName name: String, substitutionVariables variables: [String : Any]) -> NSFetchRequest<any NSFetchRequestResult>? { fatalError() }
    open func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? { fatalError() }
    open var fetchRequestTemplatesByName: [String : NSFetchRequest<any NSFetchRequestResult>] { fatalError() }
    override public init() { fatalError() }
    public init?(byMerging models: [NSManagedObjectModel]?) { fatalError() }
    public init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String : Any]) { fatalError() }
    public init?(contentsOf url: URL) { fatalError() }
    open func isConfiguration(withName configuration: String?, compatibleWithStoreMetadata metadata: [String : Any]) -> Bool { fatalError() }
    open var localizationDictionary: [String : String]? { get { fatalError() } set {} }
    open class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? { fatalError() }
    open class func mergedModel(from bundles: [Bundle]?, forStoreMetadata metadata: [String : Any]) -> NSManagedObjectModel? { fatalError() }
    open func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) { fatalError() }
    open func setFetchRequestTemplate(_ request: NSFetchRequest<any NSFetchRequestResult>?, forName name: String) { fatalError() }
    open var versionChecksum: String { fatalError() }
    open var versionIdentifiers: Set<AnyHashable> { get { fatalError() } set {} }
}

open class NSManagedObjectModelReference: NSObject, @unchecked Sendable {
    public init(entityVersionHashes versionHashes: [AnyHashable : Any], in bundle: Bundle?, versionChecksum: String) { fatalError() }
    public init(fileURL: URL, versionChecksum: String) { fatalError() }
    public init(model: NSManagedObjectModel, versionChecksum: String) { fatalError() }
    public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) { fatalError() }
    open var resolvedModel: NSManagedObjectModel { fatalError() }
    open var versionChecksum: String { fatalError() }
    public override init() { fatalError() }
}

open class NSMappingModel: NSObject {
    open var entityMappings: [NSEntityMapping]! { get { fatalError() } set {} }
    open var entityMappingsByName: [String : NSEntityMapping] { fatalError() }
    open class func inferredMappingModel(forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) throws -> NSMappingModel { fatalError() }
    override public init() { fatalError() }
    public init?(contentsOf url: URL?) { fatalError() }
    public init?(from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?, destinationModel: NSManagedObjectModel?) { fatalError() }
}

open class NSMergeConflict: NSObject {
    open var cachedSnapshot: [String : Any]? { fatalError() }
    public init(source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int, cachedSnapshot cachesnap: [String : Any]?, persistedSnapshot persnap: [String : Any]?) { fatalError() }
    open var newVersionNumber: Int { fatalError() }
    open var objectSnapshot: [String : Any]? { fatalError() }
    open var oldVersionNumber: Int { fatalError() }
    open var persistedSnapshot: [String : Any]? { fatalError() }
    open var sourceObject: NSManagedObject { fatalError() }
    public override init() { fatalError() }
}

open class NSMergePolicy: NSObject, @unchecked Sendable {
    open class var error: NSMergePolicy { fatalError() }
    public init(merge ty: NSMergePolicyType) { fatalError() }
    open class var mergeByPropertyObjectTrump: NSMergePolicy { fatalError() }
    open class var mergeByPropertyStoreTrump: NSMergePolicy { fatalError() }
    open var mergeType: NSMergePolicyType { fatalError() }
    open class var overwrite: NSMergePolicy { fatalError() }
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws { fatalError() }
    open func resolve(mergeConflicts list: [Any]) throws { fatalError() }
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws { fatalError() }
    open class var rollback: NSMergePolicy { fatalError() }
    public override init() { fatalError() }
}

public enum NSMergePolicyType: UInt, Sendable {
    case errorMergePolicyType
    case mergeByPropertyObjectTrumpMergePolicyType
    case mergeByPropertyStoreTrumpMergePolicyType
    case overwriteMergePolicyType
    case rollbackMergePolicyType
}

open class NSMigrationManager: NSObject {
    open func associate(sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject, for entityMapping: NSEntityMapping) { fatalError() }
    open func cancelMigrationWithError(_ error: any Error) { fatalError() }
    open var currentEntityMapping: NSEntityMapping { fatalError() }
    open var destinationContext: NSManagedObjectContext { fatalError() }
    open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? { fatalError() }
    open func destinationInstances(forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?) -> [NSManagedObject] { fatalError() }
    open var destinationModel: NSManagedObjectModel { fatalError() }
    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) { fatalError() }
    open var mappingModel: NSMappingModel { fatalError() }
    open func migrateStore(from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable : Any]? = nil, with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String, destinationOptions dOptions: [AnyHashable : Any]? = nil) throws { fatalError() }
    open func migrateStore(from sourceURL: URL, type sourceStoreType: NSPersistentStore.StoreType, options sourceOptions: [AnyHashable : Any]? = nil, mapping: NSMappingModel, to destinationURL: URL, type destinationStoreType: NSPersistentStore.StoreType, options destinationOptions: [AnyHashable : Any]? = nil) throws { fatalError() }
    open var migrationProgress: Float { fatalError() }
    open func reset() { fatalError() }
    open var sourceContext: NSManagedObjectContext { fatalError() }
    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? { fatalError() }
    open func sourceInstances(forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?) -> [NSManagedObject] { fatalError() }
    open var sourceModel: NSManagedObjectModel { fatalError() }
    open var userInfo: [AnyHashable : Any]? { get { fatalError() } set {} }
    open var usesStoreSpecificMigrationManager: Bool { get { fatalError() } set {} }
    public override init() { fatalError() }
}

open class NSMigrationStage: NSObject {
    open var label: String! { get { fatalError() } set {} }
    public override init() { fatalError() }
}

open class NSPersistentContainer: NSObject, @unchecked Sendable {
    open class func defaultDirectoryURL() -> URL { fatalError() }
    public init(name: String) { fatalError() }
    public init(name: String, managedObjectModel model: NSManagedObjectModel) { fatalError() }
    open func loadPersistentStores(completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void) { fatalError() }
    open var managedObjectModel: NSManagedObjectModel { fatalError() }
    open var name: String { fatalError() }
    open func newBackgroundContext() -> NSManagedObjectContext { fatalError() }
    open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) { fatalError() }
    open func performBackgroundTask<Result>(_ block: @escaping (NSManagedObjectContext) throws -> Result) async rethrows -> Result { fatalError() }
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator { fatalError() }
    open var persistentStoreDescriptions: [NSPersistentStoreDescription] { get { fatalError() } set {} }
    open var viewContext: NSManagedObjectContext { fatalError() }
    public override init() { fatalError() }
}

open class NSPersistentHistoryChange: NSObject, @unchecked Sendable {
    open var changeID: Int64 { fatalError() }
    open var changeType: NSPersistentHistoryChangeType { fatalError() }
    open var changedObjectID: NSManagedObjectID { fatalError() }
    open class var entityDescription: NSEntityDescription? { fatalError() }
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? { fatalError() }
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { fatalError() }
    override public init() { fatalError() }
    open var tombstone: [AnyHashable : Any]? { fatalError() }
    open var transaction: NSPersistentHistoryTransaction? { fatalError() }
    open var updatedProperties: Set<NSPropertyDescription>? { fatalError() }
}

open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    open class func deleteHistory(before date: Date) -> Self { fatalError() }
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self { fatalError() }
    open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self { fatalError() }
    open class func fetchHistory(after date: Date) -> Self { fatalError() }
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self { fatalError() }
    open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self { fatalError() }
    open class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>) -> Self { fatalError() }
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { get { fatalError() } set {} }
    override public init() { fatalError() }
    open var resultType: NSPersistentHistoryResultType { get { fatalError() } set {} }
    open var token: NSPersistentHistoryToken? { fatalError() }
}

public enum NSPersistentHistoryChangeType: Int, Sendable {
    case delete
    case insert
    case update
}

open class NSPersistentHistoryResult: NSPersistentStoreResult {
    override public init() { fatalError() }
    open var result: Any? { fatalError() }
    open var resultType: NSPersistentHistoryResultType { fatalError() }
}

public enum NSPersistentHistoryResultType: Int, Sendable {
    case changesOnly
    case count
    case objectIDs
    case statusOnly
    case transactionsAndChanges
    case transactionsOnly
}

open class NSPersistentHistoryToken: NSObject, @unchecked Sendable {
    override public init() { fatalError() }
}

open class NSPersistentHistoryTransaction: NSObject, @unchecked Sendable {
    open var author: String? { fatalError() }
    open var bundleID: String { fatalError() }
    open var changes: [NSPersistentHistoryChange]? { fatalError() }
    open var contextName: String? { fatalError() }
    open class var entityDescription: NSEntityDescription? { fatalError() }
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? { fatalError() }
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { fatalError() }
    override public init() { fatalError() }
    open func objectIDNotification() -> Notification { fatalError() }
    open var processID: String { fatalError() }
    open var storeID: String { fatalError() }
    open var timestamp: Date { fatalError() }
    open var token: NSPersistentHistoryToken { fatalError() }
    open var transactionNumber: Int64 { fatalError() }
}

open class NSPersistentStore: NSObject, @unchecked Sendable {
    public struct StoreType: Hashable, Sendable {
        public static var binary: NSPersistentStore.StoreType { fatalError() }
        public static var inMemory: NSPersistentStore.StoreType { fatalError() }
        public init(rawValue: String) { fatalError() }
        public var rawValue: String { get { fatalError() } set {} }
        public static var sqlite: NSPersistentStore.StoreType { fatalError() }
        public static var xml: NSPersistentStore.StoreType { fatalError() }
    }
    open var configurationName: String { fatalError() }
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) { fatalError() }
    open var identifier: String! { get { fatalError() } set {} }
    public init(persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL, options: [AnyHashable : Any]? = nil) { fatalError() }
    open var isReadOnly: Bool { get { fatalError() } set {} }
    open func loadMetadata() throws { fatalError() }
    open var metadata: [String : Any]! { get { fatalError() } set {} }
    open class func metadataForPersistentStore(with url: URL) throws -> [String : Any] { fatalError() }
    open class func migrationManagerClass() -> AnyClass { fatalError() }
    open var options: [AnyHashable : Any]? { fatalError() }
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? { fatalError() }
    open class func setMetadata(_ metadata: [String : Any]?, forPersistentStoreAt url: URL) throws { fatalError() }
    open var type: String { fatalError() }
    open var url: URL? { get { fatalError() } set {} }
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) { fatalError() }
    public override init() { fatalError() }
}

open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    open func cancel() { fatalError() }
    override public init() { fatalError() }
    open var managedObjectContext: NSManagedObjectContext { fatalError() }
    open var operationError: (any Error)? { fatalError() }
    open var progress: Progress? { fatalError() }
}

open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    open func addPersistentStore(ofType storeType: String, configurationName configuration: String?, at storeURL: URL?, options: [AnyHashable : Any]? = nil) throws -> NSPersistentStore { fatalError() }
    open func addPersistentStore(type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL, options: [AnyHashable : Any]? = nil) throws -> NSPersistentStore { fatalError() }
    open func addPersistentStore(with storeDescription: NSPersistentStoreDescription, completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void) { fatalError() }
    open class func cachedModelForPersistentStore(at url: URL, options: [AnyHashable : Any]? = nil) throws -> NSManagedObjectModel { fatalError() }
    open func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? { fatalError() }
    open func destroyPersistentStore(at url: URL, ofType storeType: String, options: [AnyHashable : Any]? = nil) throws { fatalError() }
    open func destroyPersistentStore(at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable : Any]? = nil) throws { fatalError() }
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any { fatalError() }
    open func finishDeferredLightweightMigration() throws { fatalError() }
    open func finishDeferredLightweightMigrationTask() throws { fatalError() }
    public init(managedObjectModel model: NSManagedObjectModel) { fatalError() }
    open func lock() { fatalError() }
    open func managedObjectID(for string: String) -> NSManagedObjectID? { fatalError() }
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? { fatalError() }
    open var managedObjectModel: NSManagedObjectModel { fatalError() }
    open func metadata(for store: NSPersistentStore) -> [String : Any] { fatalError() }
    open class func metadataForPersistentStore(ofType storeType: String?, at url: URL, options: [AnyHashable : Any]? = nil) throws -> [String : Any] { fatalError() }
    open class func metadataForPersistentStore(type storeType: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable : Any]? = nil) throws -> [String : Any] { fatalError() }
    open func migratePersistentStore(_ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable : Any]? = nil, type storeType: NSPersistentStore.StoreType) throws -> NSPersistentStore { fatalError() }
    open func migratePersistentStore(_ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable : Any]? = nil, withType storeType: String) throws -> NSPersistentStore { fatalError() }
    open var name: String? { get { fatalError() } set {} }
    open func perform(_ block: @escaping () -> Void) { fatalError() }
    open func perform<Result>(_ block: @escaping () throws -> Result) async rethrows -> Result { fatalError() }
    open func performAndWait(_ block: () -> Void) { fatalError() }
    open func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result { fatalError() }
    open func persistentStore(for url: URL) -> NSPersistentStore? { fatalError() }
    open var persistentStores: [NSPersistentStore] { fatalError() }
    open class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) { fatalError() }
    open class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType) { fatalError() }
    open class var registeredStoreTypes: [String : NSValue] { fatalError() }
    open func remove(_ store: NSPersistentStore) throws { fatalError() }
    open func replacePersistentStore(at destinationURL: URL, destinationOptions: [AnyHashable : Any]? = nil, withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable : Any]? = nil, ofType storeType: String) throws { fatalError() }
    open func replacePersistentStore(at destinationURL: URL, destinationOptions: [AnyHashable : Any]? = nil, withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable : Any]? = nil, type storeType: NSPersistentStore.StoreType) throws { fatalError() }
    open func setMetadata(_ metadata: [String : Any]?, for store: NSPersistentStore) { fatalError() }
    open class func setMetadata(_ metadata: [String : Any]?, forPersistentStoreOfType storeType: String?, at url: URL, options: [AnyHashable : Any]? = nil) throws { fatalError() }
    open class func setMetadata(_ metadata: [String : Any]?, type storeType: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable : Any]? = nil) throws { fatalError() }
    open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { fatalError() }
    open func tryLock() -> Bool { fatalError() }
    open func unlock() { fatalError() }
    open func url(for store: NSPersistentStore) -> URL { fatalError() }
    public override init() { fatalError() }
}

open class NSPersistentStoreDescription: NSObject {
    open var configuration: String? { get { fatalError() } set {} }
    override public init() { fatalError() }
    public init(url: URL) { fatalError() }
    open var isReadOnly: Bool { get { fatalError() } set {} }
    open var options: [String : NSObject] { fatalError() }
    open func setOption(_ option: NSObject?, forKey key: String) { fatalError() }
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) { fatalError() }
    open var shouldAddStoreAsynchronously: Bool { get { fatalError() } set {} }
    open var shouldInferMappingModelAutomatically: Bool { get { fatalError() } set {} }
    open var shouldMigrateStoreAutomatically: Bool { get { fatalError() } set {} }
    open var sqlitePragmas: [String : NSObject] { fatalError() }
    open var timeout: TimeInterval { get { fatalError() } set {} }
    open var type: String { get { fatalError() } set {} }
    open var url: URL? { get { fatalError() } set {} }
}

open class NSPersistentStoreRequest: NSObject {
    open var affectedStores: [NSPersistentStore]? { get { fatalError() } set {} }
    override public init() { fatalError() }
    open var requestType: NSPersistentStoreRequestType { fatalError() }
}

public enum NSPersistentStoreRequestType: UInt, Sendable {
    case batchDeleteRequestType
    case batchInsertRequestType
    case batchUpdateRequestType
    case fetchRequestType
    case saveRequestType
}

open class NSPersistentStoreResult: NSObject {
    override public init() { fatalError() }
}

open class NSPredicate: NSObject {
    open func allowEvaluation() { fatalError() }
    open func evaluate(with object: Any?) -> Bool { fatalError() }
    open func evaluate(with object: Any?, substitutionVariables bindings: [String : Any]?) -> Bool { fatalError() }
    override public init() { fatalError() }
    public init?<Input: NSObject>(_ predicate: Predicate<Input>) { fatalError() }
    public init(block: @escaping (Any?, [String : Any]?) -> Bool) { fatalError() }
    public init(format predicateFormat: String, _ args: any CVarArg...) { fatalError() }
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) { fatalError() }
    public init(value: Bool) { fatalError() }
    open var predicateFormat: String { fatalError() }
    open class var supportsSecureCoding: Bool { fatalError() }
    open func withSubstitutionVariables(_ variables: [String : Any]) -> Self { fatalError() }
}

open class NSPropertyDescription: NSObject, @unchecked Sendable {
    open var entity: NSEntityDescription { fatalError() }
    override public init() { fatalError() }
    open var isIndexed: Bool { get { fatalError() } set {} }
    open var isIndexedBySpotlight: Bool { get { fatalError() } set {} }
    open var isOptional: Bool { get { fatalError() } set {} }
    open var isStoredInExternalRecord: Bool { get { fatalError() } set {} }
    open var isTransient: Bool { get { fatalError() } set {} }
    open var name: String { get { fatalError() } set {} }
    open var renamingIdentifier: String? { get { fatalError() } set {} }
    open func setValidationPredicates(_ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?) { fatalError() }
    open var userInfo: [AnyHashable : Any]? { get { fatalError() } set {} }
    open var validationPredicates: [NSPredicate] { fatalError() }
    open var validationWarnings: [Any] { fatalError() }
    open var versionHash: Data { fatalError() }
    open var versionHashModifier: String? { get { fatalError() } set {} }
}

open class NSPropertyMapping: NSObject {
    override public init() { fatalError() }
    open var name: String? { get { fatalError() } set {} }
    open var userInfo: [AnyHashable : Any]? { get { fatalError() } set {} }
    open var valueExpression: NSExpression? { get { fatalError() } set {} }
}

open class NSQueryGenerationToken: NSObject, @unchecked Sendable {
    open class var current: NSQueryGenerationToken { fatalError() }
    override public init() { fatalError() }
}

open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
    open var deleteRule: NSDeleteRule { get { fatalError() } set {} }
    open var destinationEntity: NSEntityDescription? { get { fatalError() } set {} }
    override public init() { fatalError() }
    open var inverseRelationship: NSRelationshipDescription? { get { fatalError() } set {} }
    open var isOrdered: Bool { get { fatalError() } set {} }
    open var isToMany: Bool { fatalError() }
    open var maxCount: Int { get { fatalError() } set {} }
    open var minCount: Int { get { fatalError() } set {} }
}

open class NSSaveChangesRequest: NSPersistentStoreRequest {
    open var deletedObjects: Set<NSManagedObject>? { fatalError() }
    override public init() { fatalError() }
    public init(inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?, deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?) { fatalError() }
    open var insertedObjects: Set<NSManagedObject>? { fatalError() }
    open var lockedObjects: Set<NSManagedObject>? { fatalError() }
    open var updatedObjects: Set<NSManagedObject>? { fatalError() }
}

public struct NSSnapshotEventType: OptionSet, Sendable {
    public init(rawValue: UInt) { fatalError() }
    public static var mergePolicy: NSSnapshotEventType { fatalError() }
    public static var refresh: NSSnapshotEventType { fatalError() }
    public static var rollback: NSSnapshotEventType { fatalError() }
    public static var undoDeletion: NSSnapshotEventType { fatalError() }
    public static var undoInsertion: NSSnapshotEventType { fatalError() }
    public static var undoUpdate: NSSnapshotEventType { fatalError() }
    public var rawValue: UInt
}

open class NSSortDescriptor: NSObject {
    open func allowEvaluation() { fatalError() }
    open var ascending: Bool { fatalError() }
    open var comparator: Comparator { fatalError() }
    open func compare(_ object1: Any, to object2: Any) -> ComparisonResult { fatalError() }
    public init<Compared: NSObject>(_ sortDescriptor: SortDescriptor<Compared>) { fatalError() }
    public init(key: String?, ascending: Bool) { fatalError() }
    public init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) { fatalError() }
    public init(key: String?, ascending: Bool, selector: Selector?) { fatalError() }
    public init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) { fatalError() }
    public init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool, comparator cmptr: @escaping Comparator) { fatalError() }
    open var key: String? { fatalError() }
    open var keyPath: AnyKeyPath? { fatalError() }
    open var reversedSortDescriptor: Any { fatalError() }
    open var selector: Selector? { fatalError() }
    open class var supportsSecureCoding: Bool { fatalError() }
    public override init() { fatalError() }
}

open class NSStagedMigrationManager: NSObject {
    open var container: NSPersistentContainer? { fatalError() }
    public init(_ stages: [NSMigrationStage]) { fatalError() }
    open var stages: [NSMigrationStage] { fatalError() }
    public override init() { fatalError() }
}

public struct Selector: Hashable, Sendable {
    public init(_ name: String) { fatalError() }
    public init(stringLiteral value: String) { fatalError() }
}

open class UndoManager: NSObject {
    open func beginUndoGrouping() { fatalError() }
    open var canRedo: Bool { fatalError() }
    open var canUndo: Bool { fatalError() }
    open func disableUndoRegistration() { fatalError() }
    open func enableUndoRegistration() { fatalError() }
    open func endUndoGrouping() { fatalError() }
    open var groupingLevel: Int { fatalError() }
    open var groupsByEvent: Bool { get { fatalError() } set {} }
    open var isRedoing: Bool { fatalError() }
    open var isUndoRegistrationEnabled: Bool { fatalError() }
    open var isUndoing: Bool { fatalError() }
    open var levelsOfUndo: Int { get { fatalError() } set {} }
    open func redo() { fatalError() }
    open var redoActionIsDiscardable: Bool { fatalError() }
    open var redoActionName: String { fatalError() }
    open var redoCount: Int { fatalError() }
    open var redoMenuItemTitle: String { fatalError() }
    open func redoMenuTitle(forUndoActionName actionName: String) -> String { fatalError() }
    open func registerUndo<TargetType>(withTarget target: TargetType, handler: @escaping (TargetType) -> Void) where TargetType : AnyObject { fatalError() }
    open func removeAllActions() { fatalError() }
    open func removeAllActions(withTarget target: Any) { fatalError() }
    open var runLoopModes: [RunLoop.Mode] { get { fatalError() } set {} }
    open func setActionIsDiscardable(_ discardable: Bool) { fatalError() }
    open func setActionName(_ actionName: String) { fatalError() }
    open func undo() { fatalError() }
    open var undoActionIsDiscardable: Bool { fatalError() }
    open var undoActionName: String { fatalError() }
    open var undoCount: Int { fatalError() }
    open var undoMenuItemTitle: String { fatalError() }
    open func undoMenuTitle(forUndoActionName actionName: String) -> String { fatalError() }
    open func undoNestedGroup() { fatalError() }
    public override init() { fatalError() }
}

public var NSAddedPersistentStoresKey: String { fatalError() }
public var NSAffectedObjectsErrorKey: String { fatalError() }
public var NSAffectedStoresErrorKey: String { fatalError() }
public var NSBinaryStoreInsecureDecodingCompatibilityOption: String { fatalError() }
public var NSBinaryStoreSecureDecodingClasses: String { fatalError() }
public var NSBinaryStoreType: String { fatalError() }
public var NSCoreDataError: Int { fatalError() }
public var NSCoreDataVersionNumber10_10: Double { fatalError() }
public var NSCoreDataVersionNumber10_10_2: Double { fatalError() }
public var NSCoreDataVersionNumber10_10_3: Double { fatalError() }
public var NSCoreDataVersionNumber10_11: Double { fatalError() }
public var NSCoreDataVersionNumber10_11_3: Double { fatalError() }
public var NSCoreDataVersionNumber10_4: Double { fatalError() }
public var NSCoreDataVersionNumber10_4_3: Double { fatalError() }
public var NSCoreDataVersionNumber10_5: Double { fatalError() }
public var NSCoreDataVersionNumber10_5_3: Double { fatalError() }
public var NSCoreDataVersionNumber10_6: Double { fatalError() }
public var NSCoreDataVersionNumber10_6_2: Double { fatalError() }
public var NSCoreDataVersionNumber10_6_3: Double { fatalError() }
public var NSCoreDataVersionNumber10_7: Double { fatalError() }
public var NSCoreDataVersionNumber10_7_2: Double { fatalError() }
public var NSCoreDataVersionNumber10_7_3: Double { fatalError() }
public var NSCoreDataVersionNumber10_7_4: Double { fatalError() }
public var NSCoreDataVersionNumber10_8: Double { fatalError() }
public var NSCoreDataVersionNumber10_8_2: Double { fatalError() }
public var NSCoreDataVersionNumber10_9: Double { fatalError() }
public var NSCoreDataVersionNumber10_9_2: Double { fatalError() }
public var NSCoreDataVersionNumber10_9_3: Double { fatalError() }
public var NSCoreDataVersionNumber: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_3_0: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_3_1: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_3_2: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_4_0: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_4_1: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_4_2: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_4_3: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_5_0: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_5_1: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_6_0: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_6_1: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_7_0: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_7_1: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_8_0: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_8_3: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_9_0: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_9_2: Double { fatalError() }
public var NSCoreDataVersionNumber_iPhoneOS_9_3: Double { fatalError() }
public var NSDeletedObjectIDsKey: String { fatalError() }
public var NSDeletedObjectsKey: String { fatalError() }
public var NSDetailedErrorsKey: String { fatalError() }
public var NSEntityMigrationPolicyError: Int { fatalError() }
public var NSErrorMergePolicy: NSMergePolicy { fatalError() }
public var NSExternalRecordImportError: Int { fatalError() }
public var NSFetchRequestExpressionType: NSExpression.ExpressionType { fatalError() }
public var NSIgnorePersistentStoreVersioningOption: String { fatalError() }
public var NSInMemoryStoreType: String { fatalError() }
public var NSInferMappingModelAutomaticallyOption: String { fatalError() }
public var NSInferredMappingModelError: Int { fatalError() }
public var NSInsertedObjectIDsKey: String { fatalError() }
public var NSInsertedObjectsKey: String { fatalError() }
public var NSInvalidatedAllObjectsKey: String { fatalError() }
public var NSInvalidatedObjectIDsKey: String { fatalError() }
public var NSInvalidatedObjectsKey: String { fatalError() }
public var NSManagedObjectConstraintMergeError: Int { fatalError() }
public var NSManagedObjectConstraintValidationError: Int { fatalError() }
public var NSManagedObjectContextLockingError: Int { fatalError() }
public var NSManagedObjectContextQueryGenerationKey: String { fatalError() }
public var NSManagedObjectExternalRelationshipError: Int { fatalError() }
public var NSManagedObjectMergeError: Int { fatalError() }
public var NSManagedObjectModelReferenceNotFoundError: Int { fatalError() }
public var NSManagedObjectReferentialIntegrityError: Int { fatalError() }
public var NSManagedObjectValidationError: Int { fatalError() }
public var NSMergeByPropertyObjectTrumpMergePolicy: NSMergePolicy { fatalError() }
public var NSMergeByPropertyStoreTrumpMergePolicy: NSMergePolicy { fatalError() }
public var NSMigratePersistentStoresAutomaticallyOption: String { fatalError() }
public var NSMigrationCancelledError: Int { fatalError() }
public var NSMigrationConstraintViolationError: Int { fatalError() }
public var NSMigrationDestinationObjectKey: String { fatalError() }
public var NSMigrationEntityMappingKey: String { fatalError() }
public var NSMigrationEntityPolicyKey: String { fatalError() }
public var NSMigrationError: Int { fatalError() }
public var NSMigrationManagerDestinationStoreError: Int { fatalError() }
public var NSMigrationManagerKey: String { fatalError() }
public var NSMigrationManagerSourceStoreError: Int { fatalError() }
public var NSMigrationMissingMappingModelError: Int { fatalError() }
public var NSMigrationMissingSourceModelError: Int { fatalError() }
public var NSMigrationPropertyMappingKey: String { fatalError() }
public var NSMigrationSourceObjectKey: String { fatalError() }
public var NSOverwriteMergePolicy: NSMergePolicy { fatalError() }
public var NSPersistentHistoryTokenExpiredError: Int { fatalError() }
public var NSPersistentHistoryTokenKey: String { fatalError() }
public var NSPersistentHistoryTrackingKey: String { fatalError() }
public var NSPersistentStoreConnectionPoolMaxSizeKey: String { fatalError() }
public var NSPersistentStoreCoordinatorLockingError: Int { fatalError() }
public var NSPersistentStoreDeferredLightweightMigrationOptionKey: String { fatalError() }
public var NSPersistentStoreForceDestroyOption: String { fatalError() }
public var NSPersistentStoreIncompatibleSchemaError: Int { fatalError() }
public var NSPersistentStoreIncompatibleVersionHashError: Int { fatalError() }
public var NSPersistentStoreIncompleteSaveError: Int { fatalError() }
public var NSPersistentStoreInvalidTypeError: Int { fatalError() }
public var NSPersistentStoreModelVersionChecksumKey: String { fatalError() }
public var NSPersistentStoreOSCompatibility: String { fatalError() }
public var NSPersistentStoreOpenError: Int { fatalError() }
public var NSPersistentStoreOperationError: Int { fatalError() }
public var NSPersistentStoreRemoteChangeNotificationPostOptionKey: String { fatalError() }
public var NSPersistentStoreSaveConflictsError: Int { fatalError() }
public var NSPersistentStoreSaveConflictsErrorKey: String { fatalError() }
public var NSPersistentStoreSaveError: Int { fatalError() }
public var NSPersistentStoreStagedMigrationManagerOptionKey: String { fatalError() }
public var NSPersistentStoreTimeoutError: Int { fatalError() }
public var NSPersistentStoreTimeoutOption: String { fatalError() }
public var NSPersistentStoreTypeMismatchError: Int { fatalError() }
public var NSPersistentStoreURLKey: String { fatalError() }
public var NSPersistentStoreUnsupportedRequestTypeError: Int { fatalError() }
public var NSReadOnlyPersistentStoreOption: String { fatalError() }
public var NSRefreshedObjectIDsKey: String { fatalError() }
public var NSRefreshedObjectsKey: String { fatalError() }
public var NSRemovedPersistentStoresKey: String { fatalError() }
public var NSRollbackMergePolicy: NSMergePolicy { fatalError() }
public var NSSQLiteAnalyzeOption: String { fatalError() }
public var NSSQLiteError: Int { fatalError() }
public var NSSQLiteErrorDomain: String { fatalError() }
public var NSSQLiteManualVacuumOption: String { fatalError() }
public var NSSQLitePragmasOption: String { fatalError() }
public var NSSQLiteStoreType: String { fatalError() }
public var NSStagedMigrationBackwardMigrationError: Int { fatalError() }
public var NSStagedMigrationFrameworkVersionMismatchError: Int { fatalError() }
public var NSStoreModelVersionHashesKey: String { fatalError() }
public var NSStoreModelVersionIdentifiersKey: String { fatalError() }
public var NSStoreTypeKey: String { fatalError() }
public var NSStoreUUIDKey: String { fatalError() }
public var NSUUIDChangedPersistentStoresKey: String { fatalError() }
public var NSUpdatedObjectIDsKey: String { fatalError() }
public var NSUpdatedObjectsKey: String { fatalError() }
public var NSValidateXMLStoreOption: String { fatalError() }
public var NSValidationDateTooLateError: Int { fatalError() }
public var NSValidationDateTooSoonError: Int { fatalError() }
public var NSValidationInvalidDateError: Int { fatalError() }
public var NSValidationInvalidURIError: Int { fatalError() }
public var NSValidationKeyErrorKey: String { fatalError() }
public var NSValidationMissingMandatoryPropertyError: Int { fatalError() }
public var NSValidationMultipleErrorsError: Int { fatalError() }
public var NSValidationNumberTooLargeError: Int { fatalError() }
public var NSValidationNumberTooSmallError: Int { fatalError() }
public var NSValidationObjectErrorKey: String { fatalError() }
public var NSValidationPredicateErrorKey: String { fatalError() }
public var NSValidationRelationshipDeniedDeleteError: Int { fatalError() }
public var NSValidationRelationshipExceedsMaximumCountError: Int { fatalError() }
public var NSValidationRelationshipLacksMinimumCountError: Int { fatalError() }
public var NSValidationStringPatternMatchingError: Int { fatalError() }
public var NSValidationStringTooLongError: Int { fatalError() }
public var NSValidationStringTooShortError: Int { fatalError() }
public var NSValidationValueErrorKey: String { fatalError() }
public var NSXMLStoreType: String { fatalError() }

extension CocoaError {
    public static var coreData: CocoaError.Code { fatalError() }
    public static var entityMigrationPolicy: CocoaError.Code { fatalError() }
    public static var externalRecordImport: CocoaError.Code { fatalError() }
    public static var inferredMappingModel: CocoaError.Code { fatalError() }
    public static var managedObjectConstraintMerge: CocoaError.Code { fatalError() }
    public static var managedObjectContextLocking: CocoaError.Code { fatalError() }
    public static var managedObjectExternalRelationship: CocoaError.Code { fatalError() }
    public static var managedObjectMerge: CocoaError.Code { fatalError() }
    public static var managedObjectReferentialIntegrity: CocoaError.Code { fatalError() }
    public static var managedObjectValidation: CocoaError.Code { fatalError() }
    public static var migration: CocoaError.Code { fatalError() }
    public static var migrationCancelled: CocoaError.Code { fatalError() }
    public static var migrationManagerDestinationStore: CocoaError.Code { fatalError() }
    public static var migrationManagerSourceStore: CocoaError.Code { fatalError() }
    public static var migrationMissingMappingModel: CocoaError.Code { fatalError() }
    public static var migrationMissingSourceModel: CocoaError.Code { fatalError() }
    public static var persistentStoreCoordinatorLocking: CocoaError.Code { fatalError() }
    public static var persistentStoreIncompatibleSchema: CocoaError.Code { fatalError() }
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code { fatalError() }
    public static var persistentStoreIncompleteSave: CocoaError.Code { fatalError() }
    public static var persistentStoreInvalidType: CocoaError.Code { fatalError() }
    public static var persistentStoreOpen: CocoaError.Code { fatalError() }
    public static var persistentStoreOperation: CocoaError.Code { fatalError() }
    public static var persistentStoreSave: CocoaError.Code { fatalError() }
    public static var persistentStoreSaveConflicts: CocoaError.Code { fatalError() }
    public static var persistentStoreTimeout: CocoaError.Code { fatalError() }
    public static var persistentStoreTypeMismatch: CocoaError.Code { fatalError() }
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code { fatalError() }
    public static var sqlite: CocoaError.Code { fatalError() }
    public static var validationDateTooLate: CocoaError.Code { fatalError() }
    public static var validationDateTooSoon: CocoaError.Code { fatalError() }
    public static var validationInvalidDate: CocoaError.Code { fatalError() }
    public static var validationMissingMandatoryProperty: CocoaError.Code { fatalError() }
    public static var validationMultipleErrors: CocoaError.Code { fatalError() }
    public static var validationNumberTooLarge: CocoaError.Code { fatalError() }
    public static var validationNumberTooSmall: CocoaError.Code { fatalError() }
    public static var validationRelationshipDeniedDelete: CocoaError.Code { fatalError() }
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code { fatalError() }
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code { fatalError() }
    public static var validationStringPatternMatching: CocoaError.Code { fatalError() }
    public static var validationStringTooLong: CocoaError.Code { fatalError() }
    public static var validationStringTooShort: CocoaError.Code { fatalError() }
    public var affectedObjects: [AnyObject]? { fatalError() }
    public var affectedStores: [AnyObject]? { fatalError() }
    public var persistentStoreSaveConflicts: [NSMergeConflict]? { fatalError() }
    public var validationKey: String? { fatalError() }
    public var validationObject: Any? { fatalError() }
    public var validationPredicate: NSPredicate? { fatalError() }
    public var validationValue: Any? { fatalError() }
}

extension CocoaError.Code {
    public static var coreData: CocoaError.Code { fatalError() }
    public static var entityMigrationPolicy: CocoaError.Code { fatalError() }
    public static var externalRecordImport: CocoaError.Code { fatalError() }
    public static var inferredMappingModel: CocoaError.Code { fatalError() }
    public static var managedObjectConstraintMerge: CocoaError.Code { fatalError() }
    public static var managedObjectContextLocking: CocoaError.Code { fatalError() }
    public static var managedObjectExternalRelationship: CocoaError.Code { fatalError() }
    public static var managedObjectMerge: CocoaError.Code { fatalError() }
    public static var managedObjectReferentialIntegrity: CocoaError.Code { fatalError() }
    public static var managedObjectValidation: CocoaError.Code { fatalError() }
    public static var migration: CocoaError.Code { fatalError() }
    public static var migrationCancelled: CocoaError.Code { fatalError() }
    public static var migrationManagerDestinationStore: CocoaError.Code { fatalError() }
    public static var migrationManagerSourceStore: CocoaError.Code { fatalError() }
    public static var migrationMissingMappingModel: CocoaError.Code { fatalError() }
    public static var migrationMissingSourceModel: CocoaError.Code { fatalError() }
    public static var persistentStoreCoordinatorLocking: CocoaError.Code { fatalError() }
    public static var persistentStoreIncompatibleSchema: CocoaError.Code { fatalError() }
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code { fatalError() }
    public static var persistentStoreIncompleteSave: CocoaError.Code { fatalError() }
    public static var persistentStoreInvalidType: CocoaError.Code { fatalError() }
    public static var persistentStoreOpen: CocoaError.Code { fatalError() }
    public static var persistentStoreOperation: CocoaError.Code { fatalError() }
    public static var persistentStoreSave: CocoaError.Code { fatalError() }
    public static var persistentStoreSaveConflicts: CocoaError.Code { fatalError() }
    public static var persistentStoreTimeout: CocoaError.Code { fatalError() }
    public static var persistentStoreTypeMismatch: CocoaError.Code { fatalError() }
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code { fatalError() }
    public static var sqlite: CocoaError.Code { fatalError() }
    public static var validationDateTooLate: CocoaError.Code { fatalError() }
    public static var validationDateTooSoon: CocoaError.Code { fatalError() }
    public static var validationInvalidDate: CocoaError.Code { fatalError() }
    public static var validationMissingMandatoryProperty: CocoaError.Code { fatalError() }
    public static var validationMultipleErrors: CocoaError.Code { fatalError() }
    public static var validationNumberTooLarge: CocoaError.Code { fatalError() }
    public static var validationNumberTooSmall: CocoaError.Code { fatalError() }
    public static var validationRelationshipDeniedDelete: CocoaError.Code { fatalError() }
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code { fatalError() }
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code { fatalError() }
    public static var validationStringPatternMatching: CocoaError.Code { fatalError() }
    public static var validationStringTooLong: CocoaError.Code { fatalError() }
    public static var validationStringTooShort: CocoaError.Code { fatalError() }
}

extension NSNotification.Name {
    public static var NSManagedObjectContextDidMergeChangesObjectIDs: Notification.Name { fatalError() }
    public static var NSManagedObjectContextDidSave: Notification.Name { fatalError() }
    public static var NSManagedObjectContextDidSaveObjectIDs: Notification.Name { fatalError() }
    public static var NSManagedObjectContextObjectsDidChange: Notification.Name { fatalError() }
    public static var NSManagedObjectContextWillSave: Notification.Name { fatalError() }
    public static var NSPersistentStoreCoordinatorStoresDidChange: NSNotification.Name { fatalError() }
    public static var NSPersistentStoreCoordinatorStoresWillChange: NSNotification.Name { fatalError() }
    public static var NSPersistentStoreCoordinatorWillRemoveStore: NSNotification.Name { fatalError() }
    public static var NSPersistentStoreRemoteChange: NSNotification.Name { fatalError() }
}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
extension NSObject: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { fatalError() }
}
