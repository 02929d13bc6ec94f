import CoreDataEngine
import OpenCoreData
import Testing

/// Saves ask only classes that have validation of their own.
@Suite struct OverriddenMethodTests {
    private class Plain: NSManagedObject {
        var note = ""

        override func willSave() { note = "saving" }
    }

    private class Careful: NSManagedObject {
        override func validateValue(_ value: inout Any?, forKey key: String) throws {}
    }

    private final class Child: Careful {
        var note = ""
    }

    private final class Box<Value>: NSManagedObject {
        var value: Value?

        override func validateValue(_ value: inout Any?, forKey key: String) throws {}
    }

    private final class PlainBox<Value>: NSManagedObject {
        var value: Value?
    }

    @Test func aClassWithValidationOfItsOwnIsFound() {
        let method = OverriddenMethod.validateValue
        #expect(method.isOverridden(by: Careful.self))
        #expect(method.isOverridden(by: Child.self))
        #expect(method.isOverridden(by: Box<Int>.self))
    }

    #if !canImport(ObjectiveC) && !PORTABLE
    @Test func aClassWithoutIsFoundToo() {
        let method = OverriddenMethod.validateValue
        #expect(!method.isOverridden(by: NSManagedObject.self))
        #expect(!method.isOverridden(by: Plain.self))
        #expect(!method.isOverridden(by: PlainBox<String>.self))
    }
    #endif
}
