import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Models, descriptions, mappings and fetch requests are equal when their contents are.
struct ContentEqualityTests {
    @Test func modelsMadeTwiceAndCopiesAreEqual() throws {
        let (one, other) = (makeFullModel(), makeFullModel())
        #expect(one == other && one.hash == other.hash)
        let copy = try #require(one.copy() as? NSManagedObjectModel)
        #expect(copy == one && copy !== one)
        let read = try NSManagedObjectModel.decode(compiledModel: one.encodedCompiledModel())
        #expect(read.entitiesByName["Book"]?.attributesByName == one.entitiesByName["Book"]?.attributesByName)
        #expect(Set([one, other, copy]).count == 1)
        #expect(one != LibraryModel.make())
        for entity in one.entities {
            let copy = try #require(entity.copy() as? NSEntityDescription)
            #expect(copy == entity && copy.hash == entity.hash && copy == other.entitiesByName[entity.name ?? ""])
            for property in entity.properties {
                let copy = try #require(property.copy() as? NSPropertyDescription)
                #expect(copy == property && copy.hash == property.hash, "\(property)")
            }
            for index in entity.indexes {
                let copy = try #require(index.copy() as? NSFetchIndexDescription)
                #expect(copy == index && copy.hash == index.hash && copy.elements == index.elements)
            }
        }
    }

    @Test func circlesOfRelationshipsAndUserInfoEnd() throws {
        func person() -> NSManagedObjectModel {
            let person = NSEntityDescription()
            person.name = "Person"
            let friends = LibraryModel.relationship("friends", to: person, toMany: true, rule: .nullifyDeleteRule)
            friends.inverseRelationship = friends
            friends.userInfo = ["entity": person, "self": friends]
            person.properties = [friends]
            person.userInfo = ["self": person, "list": [friends, person]]
            let model = NSManagedObjectModel()
            model.entities = [person]
            return model
        }
        let (one, other) = (person(), person())
        #expect(one == other)
        other.entitiesByName["Person"]?.relationshipsByName["friends"]?.maxCount = 3
        #expect(one != other)
    }

    private static let entityChanges: [@Sendable (NSEntityDescription) -> Void] = [
        { $0.name = "Other" }, { $0.managedObjectClassName = "Other" }, { $0.isAbstract = true },
        { $0.userInfo = ["a": 1] }, { $0.versionHashModifier = "2" }, { $0.renamingIdentifier = "Old" },
        { $0.uniquenessConstraints = [["title"]] }, { $0.properties = [] },
        { $0.indexes = [NSFetchIndexDescription(name: "i", elements: nil)] },
        { $0.attributesByName["title"]?.defaultValue = "none" }, { $0.attributesByName["title"]?.isOptional = true },
        { $0.attributesByName["title"]?.attributeType = .dateAttributeType },
        { $0.attributesByName["title"]?.userInfo = ["key": ["a", 1]] },
        { $0.attributesByName["cover"]?.allowsExternalBinaryDataStorage = true },
        { $0.attributesByName["extra"]?.valueTransformerName = "T" },
        { $0.attributesByName["pages"]?.isTransient = true },
        { $0.attributesByName["pages"]?.preservesValueInHistoryOnDeletion = true },
        {
            $0.attributesByName["pages"]?.setValidationPredicates(
                [NSPredicate(format: "SELF > 1")], withValidationWarnings: ["w"])
        },
        { $0.relationshipsByName["tags"]?.deleteRule = .cascadeDeleteRule },
        { $0.relationshipsByName["tags"]?.isOrdered = true }, { $0.relationshipsByName["tags"]?.minCount = 1 },
        { $0.relationshipsByName["tags"]?.inverseRelationship = nil },
        { $0.relationshipsByName["tags"]?.destinationEntity = $0 },
    ]

    @Test(arguments: entityChanges.indices) func eachChangeShows(_ position: Int) throws {
        let (one, other) = (LibraryModel.make(), LibraryModel.make())
        let (mine, theirs) = try (#require(one.entitiesByName["Book"]), #require(other.entitiesByName["Book"]))
        #expect(one == other && mine == theirs)
        Self.entityChanges[position](theirs)
        #expect(one != other && mine != theirs)
        #expect(one.entitiesByName["Note"] == other.entitiesByName["Note"])
    }

    @Test func kindsAndOwnersTellPropertiesApart() throws {
        let model = LibraryModel.make()
        let (author, label) = try (#require(model.entitiesByName["Author"]), #require(model.entitiesByName["Label"]))
        #expect(author.attributesByName["name"] != label.attributesByName["name"])
        let all = model.entities.flatMap(\.declaredProperties)
        #expect(Set(all).count == all.count)
        let (plain, derived) = (NSAttributeDescription(), NSDerivedAttributeDescription())
        (plain.name, derived.name) = ("a", "a")
        #expect(plain != derived && derived != plain)
        #expect(plain != author)
        let (one, other) = (NSDerivedAttributeDescription(), NSDerivedAttributeDescription())
        one.derivationExpression = NSExpression(format: "books.@count")
        #expect(one != other)
        other.derivationExpression = NSExpression(format: "books.@count")
        #expect(one == other)
        let (first, second) = (NSExpressionDescription(), NSExpressionDescription())
        first.expression = NSExpression(format: "a + 1")
        second.expression = NSExpression(format: "a + 1")
        #expect(first == second)
        second.expressionResultType = .integer64AttributeType
        #expect(first != second)
        let (street, road) = (NSCompositeAttributeDescription(), NSCompositeAttributeDescription())
        street.elements = [LibraryModel.attribute("no", .integer16AttributeType)]
        #expect(street != road)
        road.elements = [LibraryModel.attribute("no", .integer16AttributeType)]
        #expect(street == road)
        let (fetched, found) = (NSFetchedPropertyDescription(), NSFetchedPropertyDescription())
        fetched.fetchRequest = NSFetchRequest(entityName: "Book")
        #expect(fetched != found)
        found.fetchRequest = NSFetchRequest(entityName: "Book")
        #expect(fetched == found)
    }

    @Test func modelsDifferByConfigurationsTemplatesAndVersions() {
        let changes: [(NSManagedObjectModel) -> Void] = [
            { $0.versionIdentifiers = ["2"] }, { $0.setEntities([$0.entities[0]], forConfigurationName: "Cloud") },
            { $0.setFetchRequestTemplate(NSFetchRequest(entityName: "Book"), forName: "All") },
            { $0.localizationDictionary = ["Entity/Book": "Buch"] },
        ]
        for change in changes {
            let (one, other) = (LibraryModel.make(), LibraryModel.make())
            change(other)
            #expect(one != other)
            change(one)
            #expect(one == other)
        }
    }

    @Test func aModelInUseEqualsItsCopy() throws {
        let stack = try TestStack()
        let model = stack.coordinator.managedObjectModel
        let entity = try #require(model.entitiesByName["Book"])
        #expect(model == LibraryModel.make() && entity == LibraryModel.make().entitiesByName["Book"])
        stack.inContext { context in
            let book = Book(context: context)
            #expect(book.entity == entity && [entity].contains(book.entity))
            #expect(NSPredicate(format: "entity == %@", entity).evaluate(with: book))
        }
    }

    @Test func mappingModelsAreEqualByTheirMappings() throws {
        let source = LibraryModel.make()
        let destination = LibraryModel.make()
        destination.entitiesByName["Book"]?.attributesByName["isbn"]?.isTransient = true
        func mapping() throws -> NSMappingModel {
            try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        }
        let (one, other) = try (mapping(), mapping())
        #expect(one == other && one.hash == other.hash && one.entityMappings == other.entityMappings)
        #expect(one.entityMappings.map(\.hash) == other.entityMappings.map(\.hash))
        let changed = try #require(other.entityMappings.first { $0.attributeMappings?.isEmpty == false })
        changed.attributeMappings?[0].valueExpression = NSExpression(format: "1")
        #expect(one != other && one.entityMappingsByName[changed.name] != changed)
        let further = try mapping()
        further.entityMappings.reverse()
        #expect(one != further)
    }

    @Test func fetchRequestsAreEqualByTheirSettings() throws {
        func request() -> NSFetchRequest<Book> {
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "pages > 3")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            return request
        }
        let copy = try #require(request().copy() as? NSFetchRequest<Book>)
        #expect(request() == request() && request().hash == request().hash && request() == copy)
        let other = NSFetchRequest<NSManagedObject>(entityName: "Book")
        other.predicate = request().predicate
        other.sortDescriptors = request().sortDescriptors
        #expect(request().isEqual(other))
        let changes: [(NSFetchRequest<Book>) -> Void] = [
            { $0.predicate = nil }, { $0.sortDescriptors = nil }, { $0.fetchLimit = 1 }, { $0.fetchOffset = 1 },
            { $0.fetchBatchSize = 1 }, { $0.includesSubentities = false }, { $0.includesPropertyValues = false },
            { $0.includesPendingChanges = false }, { $0.returnsObjectsAsFaults = false },
            { $0.shouldRefreshRefetchedObjects = true }, { $0.returnsDistinctResults = true },
            { $0.propertiesToFetch = ["title"] }, { $0.propertiesToGroupBy = ["title"] },
            { $0.havingPredicate = NSPredicate(value: true) }, { $0.relationshipKeyPathsForPrefetching = ["author"] },
            { $0.resultType = .countResultType },
        ]
        for change in changes {
            let changed = request()
            change(changed)
            #expect(changed != request())
            let again = request()
            change(again)
            #expect(changed == again)
        }
        #expect(NSFetchRequest<Book>(entityName: "Book") != NSFetchRequest<Book>(entityName: "Author"))
    }

    @Test func anExecutedRequestIsStillEqualToOneOfTheName() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let (executed, fresh) = (NSFetchRequest<Book>(entityName: "Book"), NSFetchRequest<Book>(entityName: "Book"))
            _ = try context.fetch(executed)
            #expect(executed == fresh && executed.hash == fresh.hash)
        }
    }
}
