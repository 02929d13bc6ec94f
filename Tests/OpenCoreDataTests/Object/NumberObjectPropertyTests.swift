import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Properties whose type is `NSNumber` or `NSDecimalNumber`, as classes of models without scalar types have them.
@Suite struct NumberObjectPropertyTests {
    private static let int16 = ManagedProperty<NSNumber?>("int16")
    private static let int64 = ManagedProperty<NSNumber>("int64")
    private static let bool = ManagedProperty<NSNumber?>("bool")
    private static let double = ManagedProperty<NSNumber?>("double")
    private static let decimal = ManagedProperty<NSDecimalNumber?>("decimal")
    private static let plainDecimal = ManagedProperty<NSDecimalNumber>("decimal")
    private static let decimalOfInt = ManagedProperty<NSDecimalNumber?>("int32")

    @Test func numbersComeBackAsTheyWereWritten() throws {
        let stack = try TestStack(model: Everything.model())
        let id = try stack.inContext { context in
            let object = Everything(context: context)
            #expect(object[Self.int16] == nil && object[Self.decimal] == nil)
            #expect(object[Self.int64] == 0 && object[Self.plainDecimal] == .zero)
            object[Self.int16] = 7
            object[Self.int64] = NSNumber(value: Int64.max)
            object[Self.bool] = true
            object[Self.double] = 2.5
            object[Self.decimal] = NSDecimalNumber(string: "1.10")
            object[Self.decimalOfInt] = NSDecimalNumber(string: "12")
            try context.save()
            return object.objectID
        }
        try stack.inContext { context in
            let object = try #require(try context.existingObject(with: id) as? Everything)
            #expect(object[Self.int16] == 7)
            #expect(object[Self.int64].int64Value == .max)
            #expect(object[Self.bool]?.boolValue == true)
            #expect(object[Self.double]?.doubleValue == 2.5)
            #expect(object[Self.decimal] == NSDecimalNumber(string: "1.1"))
            #expect(object[Self.plainDecimal].adding(1) == NSDecimalNumber(string: "2.1"))
            #expect(object[Self.decimalOfInt] == 12)
            #expect(object[Everything.int32] == 12)
            object[Self.int16] = nil
            object[Self.decimal] = nil
            #expect(Set(object.changedValues().keys) == ["int16", "decimal"])
            try context.save()
        }
        try stack.inContext { context in
            let object = try #require(try context.existingObject(with: id) as? Everything)
            #expect(object[Self.int16] == nil && object[Self.decimal] == nil)
        }
    }

    @Test func aNumberThatDoesNotFitFailsTheSave() throws {
        let stack = try TestStack(model: Everything.model())
        stack.inContext { context in
            let object = Everything(context: context)
            object[Self.int64] = 1.5
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.localizedDescription.contains("int64") == true)
        }
    }
}
