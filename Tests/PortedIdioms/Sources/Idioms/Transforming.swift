import CoreData
import Foundation

/// A place on a map, archived.
public final class Spot: NSObject, NSSecureCoding {
    public static var supportsSecureCoding: Bool { true }
    public let x: Double
    public let y: Double

    init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    public init?(coder: NSCoder) { (x, y) = (coder.decodeDouble(forKey: "x"), coder.decodeDouble(forKey: "y")) }

    public func encode(with coder: NSCoder) {
        coder.encode(x, forKey: "x")
        coder.encode(y, forKey: "y")
    }

    public override func isEqual(_ object: Any?) -> Bool { (object as? Spot).map { $0.x == x && $0.y == y } ?? false }
    public override var hash: Int { x.hashValue ^ y.hashValue }
}

/// As many apps have it: lists of one class, and what came before.
#if canImport(ObjectiveC)
@objc(SpotsTransformer)
#endif
final class SpotsTransformer: NSSecureUnarchiveFromDataTransformer {
    static let name = NSValueTransformerName(rawValue: String(describing: SpotsTransformer.self))

    override static var allowedTopLevelClasses: [AnyClass] { super.allowedTopLevelClasses + [Spot.self, NSArray.self] }

    public static func register() { ValueTransformer.setValueTransformer(SpotsTransformer(), forName: name) }
}

/// A transformer of its own, as for values that are kept encrypted.
final class MaskingTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        guard let text = value as? String else { return nil }
        return Data(text.utf8.map { $0 ^ 0x55 }) as NSData
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        return String(decoding: data.map { $0 ^ 0x55 }, as: UTF8.self)
    }
}

/// A model in code, whose values are all transformed.
enum Atlas {
    static let model: NSManagedObjectModel = {
        SpotsTransformer.register()
        ValueTransformer.setValueTransformer(MaskingTransformer(), forName: NSValueTransformerName("Masking"))
        func attribute(_ name: String, _ transformer: String?, _ type: AnyClass) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .transformableAttributeType
            attribute.valueTransformerName = transformer
            attribute.attributeValueClassName = NSStringFromClass(type)
            return attribute
        }
        let map = NSEntityDescription()
        map.name = "Map"
        map.properties = [
            attribute("spots", SpotsTransformer.name.rawValue, NSArray.self),
            attribute("secret", "Masking", NSString.self),
            attribute(
                "center", NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue, NSDictionary.self),
        ]
        let model = NSManagedObjectModel()
        model.entities = [map]
        return model
    }()

    @MainActor
    static func context() throws -> NSManagedObjectContext {
        let container = NSPersistentContainer(name: "Atlas", managedObjectModel: model)
        let url = try Library.folder().appendingPathComponent("Atlas.sqlite")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: Error?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container.viewContext
    }
}

let transforming: [Idiom] = [
    Idiom("a list of archived objects of the app's class") {
        let context = try Atlas.context()
        let map = NSEntityDescription.insertNewObject(forEntityName: "Map", into: context)
        map.setValue([Spot(x: 1, y: 2), Spot(x: 3, y: 4)], forKey: "spots")
        try context.save()
        context.reset()
        let found = try unwrap(context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Map")).first)
        try check((found.value(forKey: "spots") as? [Spot])?.map(\.y) == [2, 4])
        // An equal list is no change that has to be saved.
        found.setValue([Spot(x: 1, y: 2), Spot(x: 3, y: 4)], forKey: "spots")
        try check(!found.hasPersistentChangedValues)
        found.setValue(nil, forKey: "spots")
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Map")
        request.predicate = NSPredicate(format: "spots == nil")
        try check(context.count(for: request) == 1)
    },
    Idiom("a value transformer of one's own, in both directions") {
        let context = try Atlas.context()
        let map = NSEntityDescription.insertNewObject(forEntityName: "Map", into: context)
        map.setValue("buried here", forKey: "secret")
        try context.save()
        let file = try unwrap(context.persistentStoreCoordinator?.persistentStores.first?.url)
        try check(!Data(contentsOf: file).contains("buried here"))
        context.refresh(map, mergeChanges: false)
        try check(map.value(forKey: "secret") as? String == "buried here")
        try check(map.committedValues(forKeys: ["secret"])["secret"] as? String == "buried here")
    },
    Idiom("property-list values through the secure transformer") {
        let context = try Atlas.context()
        let map = NSEntityDescription.insertNewObject(forEntityName: "Map", into: context)
        let value: NSDictionary = ["zoom": 3, "names": ["a", "b"], "day": Date(timeIntervalSinceReferenceDate: 5)]
        map.setValue(value, forKey: "center")
        try context.save()
        context.refresh(map, mergeChanges: false)
        try check((map.value(forKey: "center") as? NSDictionary) == value)
        try check((map.value(forKey: "center") as? [String: Any])?["names"] as? [String] == ["a", "b"])
    },
    Idiom("a transformer is found by its name, and says what it makes") {
        _ = Atlas.model
        try check(ValueTransformer.valueTransformerNames().contains(SpotsTransformer.name))
        let transformer = try unwrap(ValueTransformer(forName: SpotsTransformer.name))
        let data = transformer.reverseTransformedValue([Spot(x: 5, y: 6)] as NSArray)
        try check(
            (transformer.transformedValue(data) as? [Spot])?.first?.x == 5
                && type(of: transformer).allowsReverseTransformation())
        try check(NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue == "NSSecureUnarchiveFromData")
    },
]

extension Data {
    fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
