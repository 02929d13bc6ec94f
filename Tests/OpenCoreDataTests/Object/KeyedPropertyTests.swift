import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A class with what the plugin generates for `@objc` properties that the model doesn't have.
class Word: NSManagedObject {
    static let name = ManagedProperty<String?>("name")
    var name: String? {
        get { self[Self.name] }
        set { self[Self.name] = newValue }
    }
    var initial: String? { name.map { String($0.prefix(1)) } }
    var length: Int { name?.count ?? 0 }
}

final class LongWord: Word {
    var half: Int { length / 2 }
}

extension Word {
    final class _KeyedProperties: ManagedPropertyList {
        override class var keyedValues: [String: @Sendable (NSManagedObject) -> Any?] {
            ["initial": { ($0 as? Word)?.initial }, "length": { ($0 as? Word)?.length }]
        }
    }
}

extension LongWord {
    final class _KeyedProperties: ManagedPropertyList {
        override class var keyedValues: [String: @Sendable (NSManagedObject) -> Any?] {
            ["half": { ($0 as? LongWord)?.half }]
        }
    }
}

@Suite struct KeyedPropertyTests {
    private static func stack(_ storeType: String = NSSQLiteStoreType) throws -> TestStack {
        let word = PublishingModel.entity("Word", PublishingModel.attribute("name", .stringAttributeType))
        word.managedObjectClassName = NSStringFromClass(Word.self)
        let long = PublishingModel.entity("LongWord")
        long.managedObjectClassName = NSStringFromClass(LongWord.self)
        word.subentities = [long]
        let model = NSManagedObjectModel()
        model.entities = [word, long]
        let stack = try TestStack(model: model, type: storeType)
        try stack.inContext { context in
            for name in ["apple", "avocado", "banana"] { Word(context: context).name = name }
            LongWord(context: context).name = "blueberry"
            try context.save()
        }
        return stack
    }

    private func words(_ context: NSManagedObjectContext) throws -> [Word] {
        let request = NSFetchRequest<Word>(entityName: "Word")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request)
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func keyValueCodingReadsThem(storeType: String) throws {
        try Self.stack(storeType).inContext { context in
            let words = try words(context)
            #expect(words.map { $0.value(forKey: "initial") as? String } == ["a", "a", "b", "b"])
            #expect((words as NSArray).value(forKey: "length") as? [Int] == [5, 7, 6, 9])
            #expect(words[3].value(forKey: "half") as? Int == 4)
            #expect(words[3].value(forKeyPath: "length") as? Int == 9)
            #expect(words[0].value(forKey: "half") == nil)
            words[0].name = nil
            #expect(words[0].value(forKey: "initial") == nil)
            #expect(NSPredicate(format: "initial == nil").evaluate(with: words[0]))
            #expect(NSPredicate(format: "initial == 'b' AND length > 6").evaluate(with: words[3]))
            let byLength = NSSortDescriptor(key: "length", ascending: false)
            let sorted = (words as NSArray).sortedArray(using: [byLength])
            #expect((sorted as? [Word])?.map(\.length) == [9, 7, 6, 0])
            #expect(throws: (any Error).self) {
                let request = NSFetchRequest<Word>(entityName: "Word")
                request.sortDescriptors = [byLength]
                _ = try context.fetch(request)
            }
        }
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func sectionsAreNamedByThem(storeType: String) throws {
        try Self.stack(storeType).inContext { context in
            let request = NSFetchRequest<Word>(entityName: "Word")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "initial", cacheName: nil)
            try controller.performFetch()
            #expect(controller.sections?.map(\.name) == ["a", "b"])
            #expect(controller.sections?.map(\.numberOfObjects) == [2, 2])
        }
    }
}
