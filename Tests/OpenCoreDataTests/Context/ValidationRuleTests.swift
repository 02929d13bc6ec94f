import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Section 4 of the observed behavior: rules, refusals and their errors. Numbers are section.fact.
@Suite(.serialized) struct ValidationRuleTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    private struct Refusal: Error, Equatable {}

    // Behaviour 4.1
    @Test func validateForInsertNamesTheMissingProperty() throws {
        let stack = try TestStack()
        stack.inContext { context in
            let book = Book(context: context)
            book.setValue(nil, forKey: "title")
            let error = #expect(throws: CocoaError.self) { try book.validateForInsert() }
            #expect(error?.code.rawValue == NSValidationMissingMandatoryPropertyError)
            #expect(error?.localizedDescription.contains("title") == true)
            #expect((error as NSError?)?.domain == NSCocoaErrorDomain)
        }
    }

    // Behaviour 4.3
    @Test(arguments: storeTypes) func aBrokenValidationPredicateIsReportedWithItsWarning(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        try stack.inContext { context in
            let item = HookItem(context: context)
            item.setValue("x", forKey: "code")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectValidationError)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "code")
            #expect(error?.userInfo[NSValidationValueErrorKey] as? String == "x")
            #expect(error?.userInfo[NSValidationPredicateErrorKey] != nil)
            #expect(error?.localizedDescription == "The code is too short.")
            item.setValue("xy", forKey: "code")
            item.setValue(-1, forKey: "level")
            let level = #expect(throws: CocoaError.self) { try context.save() }
            #expect(level?.localizedDescription == "The level is negative.")
            item.setValue(0, forKey: "level")
            try context.save()
        }
    }

    // Behaviour 4.3
    @Test func aValueCanBeCheckedBeforeItIsSet() throws {
        let stack = try TestStack(model: HookItem.model())
        try stack.inContext { context in
            let item = HookItem(context: context)
            var value: Any? = "x"
            #expect(throws: CocoaError.self) { try item.validateValue(&value, forKey: "code") }
            value = "xyz"
            try item.validateValue(&value, forKey: "code")
        }
    }

    // Overriding validateValue takes the place of validate<Key> methods.
    // Behaviour 4.4
    @Test(arguments: storeTypes) func anErrorOfTheClassPassesUnchanged(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        try stack.inContext { context in
            let item = HookItem(context: context)
            item.nameError = Refusal()
            #expect(throws: Refusal.self) { try item.validateForInsert() }
            #expect(throws: Refusal.self) { try context.save() }
            item.nameError = nil
            try context.save()
            item.nameError = Refusal()
            item.name = "new"
            #expect(throws: Refusal.self) { try item.validateForUpdate() }
        }
    }

    @Test func anOverrideWithAPointerIsAskedByEachWay() throws {
        let model = HookItem.model()
        model.entitiesByName["Item"]?.managedObjectClassName = NSStringFromClass(PointedItem.self)
        let stack = try TestStack(model: model)
        try stack.inContext { context in
            let item = try #require(
                NSEntityDescription.insertNewObject(forEntityName: "Item", into: context) as? PointedItem)
            item.setValue("bad", forKey: "name")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectValidationError)
            item.setValue("good", forKey: "name")
            try context.save()
            // The model's rules are behind super.
            item.setValue("x", forKey: "code")
            #expect(throws: CocoaError.self) { try context.save() }
            item.setValue(nil, forKey: "code")
            try context.save()

            var value: Any? = "  trimmed "
            try item.validateValue(&value, forKey: "name")
            #expect(value as? String == "trimmed")
            var object: AnyObject? = "bad" as AnyObject
            #expect(throws: CocoaError.self) { try item.validateValue(&object, forKey: "name") }
            object = " kept" as AnyObject
            try item.validateValue(&object, forKey: "name")
            #expect(object as? String == "kept")
            value = 300
            try item.validateValue(&value, forKey: "level")
            #expect(item.numbers == [300])
            value = nil
            try item.validateValue(&value, forKey: "name")
            #expect(value == nil)
        }
    }

    // Behaviour 4.5
    @Test(arguments: storeTypes) func tooManyDestinationsAreReported(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        stack.inContext { context in
            let item = HookItem(context: context)
            for _ in 0..<3 {
                NSEntityDescription.insertNewObject(forEntityName: "Part", into: context).setValue(item, forKey: "item")
            }
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSValidationRelationshipExceedsMaximumCountError)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "parts")
        }
    }

    // Behaviour 4.6
    @Test(arguments: storeTypes) func validateForDeleteFollowsTheDenyRule(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            let book = Book(context: context)
            book.setValue(shelf, forKey: "shelf")
            try context.save()
            let error = #expect(throws: CocoaError.self) { try shelf.validateForDelete() }
            #expect(error?.code.rawValue == NSValidationRelationshipDeniedDeleteError)
            context.delete(book)
            try shelf.validateForDelete()
            context.delete(shelf)
            try context.save()
        }
    }

    // Behaviour 4.7
    @Test(.enabled(if: SQLiteShell.isAvailable)) func cascadeRemovesTheRowsWithTheSave() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let author = Author(context: context)
            for _ in 0..<5 {
                NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue(
                    author, forKey: "author")
            }
            try context.save()
            context.delete(author)
            #expect(try stack.sqlite("SELECT count(*) FROM ZNOTE") == "5")
            try context.save()
        }
        #expect(try stack.sqlite("SELECT count(*) FROM ZNOTE") == "0")
    }

    // Behaviour 4.8
    @Test(arguments: storeTypes) func aFailedSaveLeavesTheContextAsItWas(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let (edited, deleted) = (Book(context: context), Book(context: context))
            try context.save()
            edited.title = "Emma"
            context.delete(deleted)
            let new = Book(context: context)
            new.setValue(nil, forKey: "title")
            #expect(throws: CocoaError.self) { try context.save() }
            #expect(context.insertedObjects == [new] && context.updatedObjects == [edited])
            #expect(context.deletedObjects == [deleted] && edited.title == "Emma")
            new.title = "Persuasion"
            try context.save()
            #expect(!context.hasChanges)
        }
        try stack.inContext { context in
            let titles = try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title).sorted()
            #expect(titles == ["Emma", "Persuasion"])
        }
    }

    // Behaviour 4.9
    @Test func aReadOnlyStoreOpensAndRefusesTheSave() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            Book(context: context).title = "Emma"
            try context.save()
        }
        let reader = try TestStack(folder: stack.folder, options: [NSReadOnlyPersistentStoreOption: true])
        try reader.inContext { context in
            let book = try #require(try context.fetch(NSFetchRequest<Book>(entityName: "Book")).first)
            #expect(book.title == "Emma")
            book.title = "Persuasion"
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == 513)
        }
    }

    // Behaviour 4.10
    @Test(arguments: storeTypes) func aConflictNamesWhatBothSidesHave(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        let id = try stack.inContext { context in
            let item = HookItem(context: context)
            item.name = "first"
            try context.save()
            return item.objectID
        }
        try stack.inContext { context in
            let item = try #require(context.object(with: id) as? HookItem)
            #expect(item.name == "first")
            let other = stack.context()
            let theirs = try other.performAndWait {
                let theirs = try #require(other.object(with: id) as? HookItem)
                theirs.name = "theirs"
                try other.save()
                return theirs
            }
            defer { withExtendedLifetime(theirs) {} }
            item.name = "ours"
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectMergeError)
            let list = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
            let conflict = try #require(list?.first)
            #expect(list?.count == 1 && conflict.sourceObject === item)
            #expect(conflict.objectSnapshot?["name"] as? String == "first")
            #expect(conflict.cachedSnapshot?["name"] as? String == "theirs")
            #expect(conflict.persistedSnapshot == nil)
            #expect(conflict.newVersionNumber > conflict.oldVersionNumber)
        }
    }

    // Behaviour 4.11
    @Test func aUniquenessViolationIsAConstraintError() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            Label(context: context).name = "classic"
            try context.save()
            let second = Label(context: context)
            second.name = "classic"
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
            let list = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
            #expect(list?.first?.constraint == ["name"])
            #expect(list?.first?.conflictingObjects == [second])
        }
    }

    // Behaviour 4.12
    @Test func constantsHaveApplesValues() {
        #expect(NSFetchRequestResultType.managedObjectResultType.rawValue == 0)
        #expect(NSFetchRequestResultType.managedObjectIDResultType.rawValue == 1)
        #expect(NSFetchRequestResultType.dictionaryResultType.rawValue == 2)
        #expect(NSFetchRequestResultType.countResultType.rawValue == 4)
        #expect(NSAttributeType.transformableAttributeType.rawValue == 1800)
        #expect(NSAttributeType.compositeAttributeType.rawValue == 2100)
        #expect(NSManagedObjectMergeError == 133020 && NSManagedObjectConstraintMergeError == 133021)
        #expect(NSManagedObjectConstraintValidationError == 1551)
        #expect(NSPersistentStoreIncompatibleVersionHashError == 134100)
    }

    // Behaviour 4.13
    @Test func fetchesThatCannotWorkThrow() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        let empty = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        empty.performAndWait {
            #expect(throws: CocoaError.self) { try empty.fetch(request) }
            #expect(throws: CocoaError.self) { try empty.count(for: request) }
        }
        empty.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        _ = empty.performAndWait {
            #expect(throws: CocoaError.self) { try empty.fetch(request) }
        }
        let stack = try TestStack()
        stack.inContext { context in
            let unknown = NSFetchRequest<NSManagedObject>(entityName: "Unicorn")
            let error = #expect(throws: CocoaError.self) { try context.fetch(unknown) }
            #expect(error?.localizedDescription.contains("Unicorn") == true)
            let mistyped = NSFetchRequest<NSManagedObject>(entityName: "Book")
            mistyped.predicate = NSPredicate(format: "titel == 'Emma'")
            let key = #expect(throws: CocoaError.self) { try context.fetch(mistyped) }
            #expect(key?.localizedDescription.contains("titel") == true)
        }
    }

    // 12: a mistyped key is an error with both stores; the in-memory store meets it in its rows.
    @Test(arguments: storeTypes) func aMistypedKeyIsAnErrorEverywhere(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            func attempt() {
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.predicate = NSPredicate(format: "author.nmae == 'Jane'")
                #expect(throws: CocoaError.self) { try context.fetch(request) }
                #expect(throws: CocoaError.self) { try context.count(for: request) }
                request.predicate = nil
                request.sortDescriptors = [NSSortDescriptor(key: "titel", ascending: true)]
                #expect(throws: CocoaError.self) { try context.fetch(request) }
            }
            if type == NSSQLiteStoreType { attempt() }
            let book = Book(context: context)
            if type == NSSQLiteStoreType { attempt() }
            try context.save()
            attempt()
            book.title = "Emma"
            attempt()
        }
    }

    @Test(arguments: storeTypes) func anUpdateAsksTheClassForWhatWasSetAlone(type: String) throws {
        let stack = try TestStack(model: HookItem.model(), type: type)
        try stack.inContext { context in
            let item = HookItem(context: context)
            item.name = "old"
            try context.save()
            item.nameError = Refusal()
            item.amount = 8
            try item.validateForUpdate()
            try context.save()
            item.name = "new"
            #expect(throws: Refusal.self) { try context.save() }
        }
    }
}

/// Validates as classes for Apple's systems do.
final class PointedItem: NSManagedObject {
    var numbers: [Int] = []

    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try super.validateValue(value, forKey: key)
        if key == "name" { try validateName(value) }
        if key == "level", let number = value.pointee as? NSNumber, number.intValue > 100 {
            numbers.append(number.intValue)
        }
    }

    func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let name = value.pointee as? String else { return }
        if name == "bad" {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSManagedObjectValidationError,
                userInfo: [NSLocalizedDescriptionKey: "No."])
        }
        let trimmed = name.trimmingCharacters(in: .whitespaces)
        if trimmed != name { value.pointee = trimmed as NSString }
    }
}
