import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Transformable attributes with each kind of transformer, in stores on disk and in memory.
struct TransformableAttributeTests {
    static let storeTypes = [NSSQLiteStoreType, NSInMemoryStoreType]

    private static func model(transformer: String?) -> NSManagedObjectModel {
        let value = NSAttributeDescription()
        value.name = "value"
        value.attributeType = .transformableAttributeType
        value.valueTransformerName = transformer
        value.isOptional = true
        let entity = NSEntityDescription()
        entity.name = "Thing"
        entity.properties = [value]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    /// Saves a value and reads it in another context.
    private func roundTrip(_ value: Any, in stack: TestStack) throws -> Any? {
        let id = try stack.inContext { context in
            let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
            thing.setValue(value, forKey: "value")
            try context.save()
            return thing.objectID
        }
        return stack.inContext { $0.object(with: id).value(forKey: "value") }
    }

    // Behaviour 9.13
    @Test(arguments: storeTypes, [nil, "NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData"])
    func withoutATransformerOrWithAReadyOneTheValueIsAKeyedArchive(type: String, name: String?) throws {
        let stack = try TestStack(model: Self.model(transformer: name), type: type)
        let value: NSDictionary = ["color": "red", "sizes": [1, 2, 3], "on": Date(timeIntervalSinceReferenceDate: 7)]
        #expect(try roundTrip(value, in: stack) as? NSDictionary == value)
        if type == NSSQLiteStoreType {
            let hex = try stack.sqlite("SELECT hex(ZVALUE) FROM ZTHING")
            #expect(hex.hasPrefix("62706C697374"))
            let archiver = "NSKeyedArchiver".utf8.map { String(format: "%02X", $0) }.joined()
            #expect(hex.contains(archiver))
        }
    }

    // Behaviour 9.13
    @Test func theNamesOfTheReadyTransformersAreApples() {
        #expect(NSValueTransformerName.keyedUnarchiveFromDataTransformerName.rawValue == "NSKeyedUnarchiveFromData")
        #expect(NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue == "NSSecureUnarchiveFromData")
        let names = ValueTransformer.valueTransformerNames()
        #expect(names.contains(.secureUnarchiveFromDataTransformerName) && names.contains(.isNilTransformerName))
        let negate = ValueTransformer(forName: .negateBooleanTransformerName)
        #expect(negate?.transformedValue(true) as? Bool == false)
        #expect(ValueTransformer(forName: .isNilTransformerName)?.transformedValue(nil) as? Bool == true)
        #expect(ValueTransformer(forName: .isNotNilTransformerName)?.transformedValue(nil) as? Bool == false)
    }

    // Behaviour 9.13
    @Test(arguments: storeTypes)
    func aTransformerOfTheApplicationGoesForwardOnSaveAndInReverseOnFetch(type: String) throws {
        let name = NSValueTransformerName("Tests.Reversing.\(type)")
        ValueTransformer.setValueTransformer(ReversedText(), forName: name)
        defer { ValueTransformer.setValueTransformer(nil, forName: name) }
        #expect(ValueTransformer(forName: name) is ReversedText)
        let stack = try TestStack(model: Self.model(transformer: name.rawValue), type: type)
        #expect(try roundTrip("abc", in: stack) as? String == "abc")
        if type == NSSQLiteStoreType {
            #expect(try stack.sqlite("SELECT hex(ZVALUE) FROM ZTHING") == "636261")
        }
    }

    // Behaviour 9.13
    @Test(arguments: storeTypes) func aTransformerThatGivesNoDataFailsTheSave(type: String) throws {
        let name = NSValueTransformerName("Tests.NoData.\(type)")
        ValueTransformer.setValueTransformer(NoData(), forName: name)
        defer { ValueTransformer.setValueTransformer(nil, forName: name) }
        let stack = try TestStack(model: Self.model(transformer: name.rawValue), type: type)
        let error = try #require(throws: CocoaError.self) { try roundTrip("abc", in: stack) }
        #expect(error.code.rawValue == 134_060)
        #expect(error.localizedDescription.contains(name.rawValue) && error.localizedDescription.contains("value"))
    }

    @Test func aSecureTransformerReadsTheClassesThatItAllows() throws {
        let name = NSValueTransformerName("Tests.Tint")
        ValueTransformer.setValueTransformer(TintTransformer(), forName: name)
        defer { ValueTransformer.setValueTransformer(nil, forName: name) }
        let stack = try TestStack(model: Self.model(transformer: name.rawValue))
        let read = try roundTrip(Tint(red: 9), in: stack)
        #expect((read as? Tint)?.red == 9)
        // Data that is no archive of an allowed class comes out as it is, and a save leaves it so.
        let foreign = try NSKeyedArchiver.archivedData(withRootObject: NSNumber(value: 4), requiringSecureCoding: true)
        let hex = foreign.map { String(format: "%02X", $0) }.joined()
        _ = try stack.sqlite("UPDATE ZTHING SET ZVALUE = X'\(hex)'")
        let again = try TestStack(model: Self.model(transformer: name.rawValue), folder: stack.folder)
        try again.inContext { context in
            let thing = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")).first)
            #expect(thing.value(forKey: "value") as? Data == foreign)
        }
    }

    @Test(arguments: storeTypes) func aDefaultOfAClassOfTheApplicationIsWhatNewObjectsHave(type: String) throws {
        let name = NSValueTransformerName("Tests.DefaultTint.\(type)")
        ValueTransformer.setValueTransformer(TintTransformer(), forName: name)
        defer { ValueTransformer.setValueTransformer(nil, forName: name) }
        let model = Self.model(transformer: name.rawValue)
        let attribute = try #require(model.entitiesByName["Thing"]?.attributesByName["value"])
        attribute.defaultValue = Tint(red: 7)
        attribute.userInfo = ["colors": [Tint(red: 1)], "count": 2]
        let stack = try TestStack(model: model, type: type)
        let id = try stack.inContext { context in
            let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
            #expect((thing.value(forKey: "value") as? Tint)?.red == 7)
            try context.save()
            return thing.objectID
        }
        stack.inContext { #expect(($0.object(with: id).value(forKey: "value") as? Tint)?.red == 7) }
    }

    @Test func whatAModelHoldsAndNoArchiveCanDoesNotKeepAStoreFromBeingMade() throws {
        struct Plain: Hashable { let number = 1 }
        let model = Self.model(transformer: nil)
        let entity = try #require(model.entitiesByName["Thing"])
        let attribute = try #require(entity.attributesByName["value"])
        attribute.defaultValue = Plain()
        attribute.userInfo = ["plain": Plain(), "count": 2]
        entity.userInfo = ["plain": Plain(), "text": "kept"]
        let isSet = NSPredicate { _, _ in true }
        attribute.setValidationPredicates([isSet], withValidationWarnings: ["wrong"])
        let stack = try TestStack(model: model)
        stack.inContext { context in
            let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
            #expect(thing.value(forKey: "value") as? Plain == Plain())
        }
        let kept = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: stack.url, options: nil)
        #expect(kept.entitiesByName["Thing"]?.userInfo?["text"] as? String == "kept")
        #expect(kept.entitiesByName["Thing"]?.attributesByName["value"]?.userInfo?["count"] as? Int == 2)
        #expect(throws: CocoaError.self) { try model.encodedCompiledModel() }
    }

    @Test func aNameThatIsNotRegisteredKeepsTheBytes() throws {
        #expect(ValueTransformer(forName: NSValueTransformerName("Foundation.NSNumber")) == nil)
        let stack = try TestStack(model: Self.model(transformer: "Tests.Unknown"))
        #expect(try roundTrip(Data([1, 2, 3]), in: stack) as? Data == Data([1, 2, 3]))
        let error = try #require(throws: CocoaError.self) { try roundTrip("text", in: stack) }
        #expect(error.code.rawValue == 134_060)
        #expect(error.localizedDescription.contains("Tests.Unknown"))
    }

    // Behaviour 9.13: SQL can't; the rows are looked at instead.
    @Test func theInsideOfAValueIsLookedAtRowByRow() throws {
        let stack = try TestStack(model: Self.model(transformer: nil))
        _ = try roundTrip(["color": "red"] as NSDictionary, in: stack)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        for (color, count) in [("red", 1), ("blue", 0)] {
            request.predicate = NSPredicate(format: "value.color == %@", color)
            #expect(try stack.inContext { try $0.fetch(request).count } == count)
        }
    }
}

/// Text as the bytes of the reversed text.
private final class ReversedText: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSData.self }

    override func transformedValue(_ value: Any?) -> Any? {
        (value as? String).map { Data(String($0.reversed()).utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(String(decoding: $0, as: UTF8.self).reversed()) }
    }
}

private final class NoData: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { 12 }
}

/// A class of the application that can be archived.
final class Tint: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let red: Int

    init(red: Int) {
        self.red = red
    }

    init?(coder: NSCoder) {
        red = coder.decodeInteger(forKey: "red")
    }

    func encode(with coder: NSCoder) {
        coder.encode(red, forKey: "red")
    }
}

private final class TintTransformer: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [Tint.self] }
}
