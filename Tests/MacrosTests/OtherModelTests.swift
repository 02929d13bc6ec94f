#if Macros
import OpenCoreDataMacros
import TestSupport
import Testing

@ManagedObject
final class Parcel: NSManagedObject {
    var label: String = ""
    var weight: Int32 = 0
    var format: Format = .hardcover
    var size: Size?
    @Attribute(.transformable) var words: [String]?
    @Relationship(inverse: nil) var next: Parcel?
}

/// Classes with macros and a model that they were not made for, such as one from a file.
@Suite struct OtherModelTests {
    private func model(_ types: [String: NSAttributeType], nextIsToMany: Bool = false) -> NSManagedObjectModel {
        let parcel = NSEntityDescription()
        parcel.name = "Parcel"
        parcel.managedObjectClassName = NSStringFromClass(Parcel.self)
        let fitting: [(String, NSAttributeType)] = [
            ("label", .stringAttributeType), ("weight", .integer64AttributeType),
            ("format", .integer16AttributeType), ("size", .binaryDataAttributeType),
            ("words", .transformableAttributeType),
        ]
        parcel.properties =
            fitting.map { LibraryModel.attribute($0.0, types[$0.0] ?? $0.1) } + [
                LibraryModel.relationship("next", to: parcel, toMany: nextIsToMany, rule: .nullifyDeleteRule)
            ]
        let model = NSManagedObjectModel()
        model.entities = [parcel]
        return model
    }

    @Test func aModelThatFitsIsTaken() throws {
        let stack = try TestStack(model: model([:]), type: NSInMemoryStoreType)
        try stack.inContext { context in
            let parcel = Parcel(context: context)
            (parcel.label, parcel.weight, parcel.format) = ("Oslo", 7, .audio)
            parcel.size = Size(width: 1, height: 2)
            parcel.words = ["a"]
            try context.save()
            context.refresh(parcel, mergeChanges: false)
            #expect(parcel.label == "Oslo" && parcel.weight == 7 && parcel.format == .audio)
            #expect(parcel.size == Size(width: 1, height: 2) && parcel.words == ["a"])
        }
    }

    @Test(arguments: [
        ("label", NSAttributeType.integer64AttributeType, "String"), ("weight", .stringAttributeType, "Int32"),
        ("format", .stringAttributeType, "Format"), ("size", .stringAttributeType, "Size?"),
        ("words", .stringAttributeType, "Array<String>?"),
    ])
    func anAttributeOfAnotherTypeIsAnErrorWhereItIsUsed(
        _ name: String, _ type: NSAttributeType, _ swift: String
    ) throws {
        let stack = try TestStack(model: model([name: type]), type: NSInMemoryStoreType)
        let string = try refusal(stack) { parcel in
            _ = (parcel.label, parcel.weight, parcel.format, parcel.size, parcel.words)
        }
        #expect(string.contains("The property '\(name)' of the class Parcel has the type \(swift), but"))
    }

    @Test func aRelationshipOfAnotherKindIsAnErrorWhereItIsUsed() throws {
        let stack = try TestStack(model: model([:], nextIsToMany: true), type: NSInMemoryStoreType)
        let string = try refusal(stack) { #expect($0.next == nil) }
        #expect(string.contains("is a to-many relationship to Parcel"))
    }

    /// What a save says after a use of an object.
    private func refusal(_ stack: TestStack, _ use: (Parcel) -> Void) throws -> String {
        try stack.inContext { context in
            let parcel = NSEntityDescription.insertNewObject(forEntityName: "Parcel", into: context)
            use(try #require(parcel as? Parcel))
            let error = #expect(throws: CocoaError.self) { try context.save() }
            return error?.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
        }
    }
}
#endif
