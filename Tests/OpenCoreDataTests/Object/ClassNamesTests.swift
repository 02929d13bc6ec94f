import Foundation
import OpenCoreData
import TestSupport
import Testing

private final class Hidden: NSManagedObject {}
private enum HiddenSpace {
    final class Hidden: NSManagedObject {}
}
enum FirstVersion {
    final class Record: NSManagedObject {}
    struct Part {
        final class Record: NSManagedObject {}
    }
}
enum SecondVersion {
    final class Record: NSManagedObject {}
}
/// Two classes of one name.
private func otherHidden() -> AnyClass {
    final class Other: NSManagedObject {}
    return Other.self
}
private func anotherHidden() -> AnyClass {
    final class Other: NSManagedObject {}
    return Other.self
}
class GenericRecord<Value>: NSManagedObject {}

/// Foundation's functions of these names stop the program for most of these classes, or find none.
@Suite struct ClassNamesTests {
    private static var classes: [AnyClass] {
        final class Local: NSManagedObject {}
        return [
            NSManagedObject.self, NSManagedObjectContext.self, NSObject.self, NSString.self, ClassNamesReader.self,
            Hidden.self, HiddenSpace.Hidden.self, FirstVersion.Record.self, FirstVersion.Part.Record.self,
            SecondVersion.Record.self, GenericRecord<Int>.self, GenericRecord<FirstVersion.Record>.self, Local.self,
        ]
    }

    @Test func everyClassHasANameOfItsOwnAndIsFoundByIt() {
        let names = Self.classes.map(NSStringFromClass)
        #expect(Set(names).count == names.count)
        for (index, name) in names.enumerated() {
            #expect(NSClassFromString(name) == Self.classes[index], "\(name)")
        }
    }

    @Test func namesAreReadable() {
        #expect(NSStringFromClass(NSManagedObject.self) == "NSManagedObject")
        #expect(NSStringFromClass(NSObject.self) == "NSObject")
        #expect(NSStringFromClass(ClassNamesReader.self) == "OpenCoreDataTests.ClassNamesReader")
        #expect(NSStringFromClass(FirstVersion.Record.self) == "OpenCoreDataTests.FirstVersion.Record")
        #expect(NSStringFromClass(FirstVersion.Part.Record.self) == "OpenCoreDataTests.FirstVersion.Part.Record")
        #expect(NSStringFromClass(GenericRecord<Int>.self) == "OpenCoreDataTests.GenericRecord<Swift.Int>")
        let hidden = [NSStringFromClass(Hidden.self), NSStringFromClass(HiddenSpace.Hidden.self)]
        #expect(hidden == ["OpenCoreDataTests.Hidden", "OpenCoreDataTests.HiddenSpace.Hidden"])
        let others = [NSStringFromClass(otherHidden()), NSStringFromClass(anotherHidden())]
        #expect(Set(others).count == 2 && others.allSatisfy { $0.hasPrefix("OpenCoreDataTests.Other") }, "\(others)")
        #expect(NSClassFromString(others[0]) == otherHidden() && NSClassFromString(others[1]) == anotherHidden())
    }

    @Test func namesOfNoClassFindNone() {
        for name in [
            "", ".", "..", "NoSuchClass", "A.B", "A.B.C", "OpenCoreDataTests.FirstVersion.Part", "é.é.é",
        ] {
            #expect(NSClassFromString(name) == nil, "\(name)")
        }
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func anEntityHasTheClassThatIsNamed(storeType: String) throws {
        let types = Self.classes.compactMap { $0 as? NSManagedObject.Type }
        let model = NSManagedObjectModel()
        model.entities = types.enumerated().map { index, type in
            let entity = PublishingModel.entity(
                "Entity\(index)", PublishingModel.attribute("name", .stringAttributeType))
            entity.managedObjectClassName = NSStringFromClass(type)
            return entity
        }
        let stack = try TestStack(model: model, type: storeType)
        try stack.inContext { context in
            for index in types.indices {
                _ = NSEntityDescription.insertNewObject(forEntityName: "Entity\(index)", into: context)
            }
            try context.save()
        }
        try stack.inContext { context in
            for (index, type) in types.enumerated() {
                let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Entity\(index)"))
                #expect(found.map { ObjectIdentifier(Swift.type(of: $0)) } == [ObjectIdentifier(type)])
            }
        }
    }
}

final class ClassNamesReader {}
