import CoreData
import Foundation
import TestSupport
import Testing

/// Classes as applications write them for Apple's systems, in Swift 5 mode.
class Animal: NSManagedObject {
    static var initialized = 0
    var visits = 7
    lazy var greeting = "I am \(name ?? "nobody")"

    override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        Animal.initialized += 1
    }

    convenience init(name: String, context: NSManagedObjectContext) {
        self.init(context: context)
        self.name = name
    }

    var name: String? {
        get { value(forKey: "name") as? String }
        set { setValue(newValue, forKey: "name") }
    }

    class func make(in context: NSManagedObjectContext) -> Self { self.init(context: context) }
    class func describe(_ entity: NSEntityDescription) -> Self { Self(entity: entity, insertInto: nil) }
}

/// A subclass of a subclass.
final class Dog: Animal {
    var tricks: [String] = ["sit"]

    convenience init(trick: String, context: NSManagedObjectContext) {
        self.init(name: "Rex", context: context)
        tricks.append(trick)
    }
}

/// One that says `required`, as classes for earlier versions of this library do.
class Cat: Animal {
    required override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        visits = 9
    }

    required convenience init(context: NSManagedObjectContext) {
        let entity = NSEntityDescription.entity(forEntityName: "Cat", in: context)
        self.init(entity: entity!, insertInto: context)
        name = "Tom"
    }
}

/// One with an initializer without arguments.
final class Fish: NSManagedObject {
    static var context: NSManagedObjectContext?

    convenience init() {
        let context = Fish.context!
        self.init(entity: NSEntityDescription.entity(forEntityName: "Fish", in: context)!, insertInto: context)
    }
}

protocol Findable: NSManagedObject {}

extension Findable {
    static func create(in context: NSManagedObjectContext) -> Self {
        let made = self.init(context: context)
        return made
    }
}

protocol Record {}

extension Record where Self: NSManagedObject {
    init(insertedInto context: NSManagedObjectContext) { self.init(context: context) }
    static func another(of entity: NSEntityDescription, in context: NSManagedObjectContext) -> Self {
        Self(entity: entity, insertInto: context)
    }
}

extension Animal: Findable, Record {}

extension NSManagedObject {
    static func fresh(_ context: NSManagedObjectContext) -> Self { Self(context: context) }
    func duplicate() -> Self { type(of: self).init(entity: entity, insertInto: managedObjectContext) }
}

private func insert<T: NSManagedObject>(_ context: NSManagedObjectContext) -> T { T(context: context) }

private final class Repository<T: NSManagedObject> {
    let context: NSManagedObjectContext
    init(_ context: NSManagedObjectContext) { self.context = context }
    func create(_ change: (T) -> Void) -> T {
        let made = T(context: context)
        change(made)
        return made
    }
    func create(of entity: NSEntityDescription) -> T { T(entity: entity, insertInto: context) }
}

/// Objects of classes that are known at run time only, of classes with an initializer of their own, and without an entity.
@Suite(.serialized) struct MakingObjectsTests {
    private static func model() -> NSManagedObjectModel {
        let animal = NSEntityDescription()
        animal.name = "Animal"
        animal.managedObjectClassName = NSStringFromClass(Animal.self)
        animal.properties = [LibraryModel.attribute("name", .stringAttributeType)]
        let subentities: [(String, NSManagedObject.Type)] = [("Dog", Dog.self), ("Cat", Cat.self)]
        animal.subentities = subentities.map { name, type in
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = NSStringFromClass(type)
            return entity
        }
        let fish = NSEntityDescription()
        fish.name = "Fish"
        fish.managedObjectClassName = NSStringFromClass(Fish.self)
        let model = NSManagedObjectModel()
        model.entities = [animal, fish] + animal.subentities
        return model
    }

    private let stack: TestStack

    init() throws { stack = try TestStack(model: Self.model()) }

    @Test func objectsOfAClassThatIsKnownAtRunTime() throws {
        try stack.inContext { context in
            Animal.initialized = 0
            let dog: Dog = insert(context)
            #expect(dog.entity.name == "Dog")
            let types: [NSManagedObject.Type] = [Animal.self, Dog.self, Cat.self]
            for type in types {
                let made = type.init(context: context)
                #expect(Swift.type(of: made) == type)
                let again = type.init(entity: made.entity, insertInto: context)
                #expect(Swift.type(of: again) == type)
                #expect(Swift.type(of: again.duplicate()) == type)
            }
            #expect(Swift.type(of: Dog.make(in: context)) == Dog.self)
            #expect(Swift.type(of: Dog.fresh(context)) == Dog.self)
            #expect(Swift.type(of: Dog.create(in: context)) == Dog.self)
            #expect(Swift.type(of: Dog(insertedInto: context)) == Dog.self)
            #expect(Swift.type(of: Dog.another(of: dog.entity, in: context)) == Dog.self)
            #expect(Dog.describe(dog.entity).managedObjectContext == nil)
            let repository = Repository<Cat>(context)
            #expect(repository.create { $0.visits += 1 }.visits == 10)
            #expect(repository.create(of: dog.entity).visits == 9)
            #expect(Animal.initialized == 18)
            #expect(context.insertedObjects.count == 17)
            try context.save()
        }
    }

    @Test func classesWithStoredPropertiesAndInitializersOfTheirOwn() throws {
        try stack.inContext { context in
            let dog = Dog(trick: "roll", context: context)
            #expect(dog.tricks == ["sit", "roll"])
            #expect(dog.name == "Rex")
            #expect(dog.greeting == "I am Rex")
            #expect(Cat(context: context).name == "Tom")
            Fish.context = context
            #expect(Fish().managedObjectContext === context)
            Fish.context = nil
            try context.save()
        }
        try stack.inContext { context in
            Animal.initialized = 0
            let request = NSFetchRequest<Animal>(entityName: "Animal")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let found = try context.fetch(request)
            #expect(found.map(\.visits) == [7, 9])
            #expect((found.first as? Dog)?.tricks == ["sit"])
            #expect(Animal.initialized == 2)
            let id = found[0].objectID
            #expect(context.object(with: id) === found[0])
        }
    }

    @Test func anOverriddenInitializerRunsForEveryWayToAnObject() throws {
        let id = try stack.inContext { context in
            Animal.initialized = 0
            let dog = NSEntityDescription.insertNewObject(forEntityName: "Dog", into: context)
            #expect(Animal.initialized == 1)
            try context.save()
            return dog.objectID
        }
        try stack.inContext { context in
            Animal.initialized = 0
            let dog = context.object(with: id)
            #expect(dog is Dog)
            #expect(Animal.initialized == 1)
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.performAndWait {
                let dog = try child.existingObject(with: id)
                #expect(dog is Dog)
                #expect(Animal.initialized == 2)
            }
        }
        let insertion = NSBatchInsertRequest(entityName: "Cat") { (object: NSManagedObject) in
            #expect((object as? Cat)?.visits == 9)
            return true
        }
        try stack.inContext { context in _ = try context.execute(insertion) }
    }

    @Test func anObjectWithoutAnEntityIsOfNoUseAndHarmsNobody() {
        let plain = NSManagedObject()
        #expect(plain.managedObjectContext == nil)
        #expect(plain.entity.name == nil)
        #expect(!plain.isInserted && !plain.hasChanges && !plain.isDeleted && !plain.isFault)
        #expect(plain.description.contains("NSManagedObject"))
        #expect(plain.value(forKey: "name") == nil)
        #expect(plain.changedValues().isEmpty)
        #expect(plain.objectID.isTemporaryID)
        weak var gone: Dog?
        do {
            let dog = Dog()
            #expect(dog.tricks == ["sit"])
            #expect(!dog.description.isEmpty)
            gone = dog
        }
        #expect(gone == nil)
        #expect(Set([NSManagedObject(), NSManagedObject()]).count == 2)
    }

    @Test func anObjectWithoutAnEntityIsNotSavedAsAnother() throws {
        try stack.inContext { context in
            context.insert(NSManagedObject())
            #expect(throws: (any Error).self) { try context.save() }
            context.rollback()
            try context.save()
        }
        #expect(try stack.sqlite("SELECT count(*) FROM ZANIMAL") == "0")
        #expect(try stack.sqlite("SELECT count(*) FROM ZFISH") == "0")
    }
}
