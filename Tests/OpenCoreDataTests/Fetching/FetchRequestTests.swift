import OpenCoreData
import TestSupport
import Testing

@Suite struct FetchRequestTests {
    let layout = ModelLayout.layout(of: PublishingModel.make())

    private func entity(_ name: String) throws -> EntityLayout {
        try #require(layout.entities.first { $0.name == name })
    }

    // Behaviour 4.12
    @Test func resultTypesHaveApplesNumbers() {
        #expect(NSFetchRequestResultType.managedObjectResultType.rawValue == 0)
        #expect(NSFetchRequestResultType.managedObjectIDResultType.rawValue == 1)
        #expect(NSFetchRequestResultType.dictionaryResultType.rawValue == 2)
        #expect(NSFetchRequestResultType.countResultType.rawValue == 4)
    }

    @Test func aRequestBeginsWithApplesDefaults() {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
        #expect(request.entityName == "Book")
        #expect(request.fetchLimit == 0 && request.fetchOffset == 0 && request.fetchBatchSize == 0)
        #expect(request.includesSubentities && request.includesPropertyValues && request.includesPendingChanges)
        #expect(request.returnsObjectsAsFaults)
        #expect(!request.returnsDistinctResults && !request.shouldRefreshRefetchedObjects)
        #expect(request.resultType == .managedObjectResultType)
        #expect(request.requestType == .fetchRequestType)
    }

    // Behaviour 6.11
    @Test func aNamedRequestFindsItsEntityWhenItIsExecuted() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        #expect(request.entity == nil)
        let model = PublishingModel.make()
        #expect(try request.resolveEntity(in: model) === model.entitiesByName["Book"])
        #expect(request.entity === model.entitiesByName["Book"])
        let unknown = NSFetchRequest<NSManagedObject>(entityName: "Magazine")
        let error = #expect(throws: CocoaError.self) { try unknown.resolveEntity(in: model) }
        #expect(error?.localizedDescription.contains("Magazine") == true)
    }

    @Test func namesOfPropertiesComeBackAsDescriptionsOnceTheEntityIsKnown() throws {
        let model = PublishingModel.make()
        let book = try #require(model.entitiesByName["Book"])
        let average = NSExpressionDescription()
        average.name = "price"
        average.expression = NSExpression(format: "average:(price)")
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["title", "author.name", "price", average]
        request.propertiesToGroupBy = ["title", "price"]
        #expect(request.propertiesToFetch?.first as? String == "title")
        request.entity = book
        let columns = try #require(request.propertiesToFetch)
        #expect(columns[0] as? NSAttributeDescription === book.attributesByName["title"])
        #expect(columns[1] as? String == "author.name")
        #expect(columns[2] as? String == "price" && columns[3] as? NSExpressionDescription === average)
        let groups = try #require(request.propertiesToGroupBy)
        #expect(groups[0] as? NSAttributeDescription === book.attributesByName["title"])
        #expect(groups[1] as? String == "price")
        let copy = try #require(request.copy() as? NSFetchRequest<NSDictionary>)
        #expect(copy == request && copy.propertiesToFetch?[0] is NSAttributeDescription)
    }

    @Test func aRequestForDictionariesStaysTheSameWhenItWasExecuted() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            Book(context: context).title = "Emma"
            try context.save()
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["title", "pages"]
            request.propertiesToGroupBy = ["title", "pages"]
            for _ in 0..<2 { #expect(try context.fetch(request).first?["title"] as? String == "Emma") }
            #expect(
                request.propertiesToFetch?.compactMap { ($0 as? NSPropertyDescription)?.name } == ["title", "pages"])
            #expect(request.propertiesToGroupBy?.allSatisfy { $0 is NSAttributeDescription } == true)
        }
    }

    @Test func aCopyHasAllSettingsAndTheResultType() throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.predicate = NSPredicate(format: "price > 3")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
        request.fetchLimit = 5
        request.fetchOffset = 2
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["title"]
        request.propertiesToGroupBy = ["title"]
        request.returnsDistinctResults = true
        request.includesSubentities = false
        let copy = try #require(request.copy() as? NSFetchRequest<NSDictionary>)
        #expect(copy !== request)
        #expect(copy.entityName == "Book")
        #expect(copy.predicate == request.predicate)
        #expect(copy.sortDescriptors == request.sortDescriptors)
        #expect(copy.fetchLimit == 5 && copy.fetchOffset == 2)
        #expect(copy.resultType == .dictionaryResultType)
        #expect(copy.propertiesToFetch as? [String] == ["title"])
        #expect(copy.propertiesToGroupBy as? [String] == ["title"])
        #expect(copy.returnsDistinctResults && !copy.includesSubentities)
    }

    @Test func aRequestSurvivesAnArchive() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "price > 3 AND title BEGINSWITH[c] 'a'")
        request.sortDescriptors = [
            NSSortDescriptor(key: "title", ascending: false), NSSortDescriptor(key: "price", ascending: true),
        ]
        request.fetchLimit = 5
        request.includesSubentities = false
        request.propertiesToFetch = ["title"]
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        request.encode(with: archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.requiresSecureCoding = false
        let copy = try #require(NSFetchRequest<NSManagedObject>(coder: unarchiver))
        #expect(copy.entityName == "Book")
        #expect(copy.predicate?.predicateFormat == request.predicate?.predicateFormat)
        #expect(copy.sortDescriptors == request.sortDescriptors)
        #expect(copy.fetchLimit == 5 && !copy.includesSubentities && copy.includesPendingChanges)
        #expect(copy.propertiesToFetch as? [String] == ["title"])
        let empty = NSKeyedArchiver(requiringSecureCoding: false)
        empty.finishEncoding()
        #expect(NSFetchRequest<NSManagedObject>(coder: try NSKeyedUnarchiver(forReadingFrom: empty.encodedData)) == nil)
    }

    @Test func executingWithoutACurrentContextIsAnError() {
        let error = #expect(throws: CocoaError.self) {
            try NSFetchRequest<NSManagedObject>(entityName: "Book").execute()
        }
        #expect(error?.localizedDescription.contains("Book") == true)
    }

    // MARK: Columns

    private func keys(_ properties: [Any]?, _ name: String = "Book") throws -> [String] {
        let request = NSFetchRequest<NSDictionary>(entityName: name)
        request.propertiesToFetch = properties
        return try request.resultColumns(for: entity(name)).map(\.key)
    }

    // Behaviour 6.5
    @Test func dictionariesHaveAllAttributesUnlessColumnsAreNamed() throws {
        #expect(try keys(nil).sorted() == ["pages", "price", "published", "title"])
        #expect(try keys(["title", "author", "author.name"]) == ["title", "author", "author.name"])
    }

    @Test func computedColumnsKeepTheirNameAndType() throws {
        let total = NSExpressionDescription()
        total.name = "total"
        total.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "price")])
        total.expressionResultType = .doubleAttributeType
        let identity = NSExpressionDescription()
        identity.name = "id"
        identity.expression = NSExpression.expressionForEvaluatedObject()
        identity.expressionResultType = .objectIDAttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.propertiesToFetch = [total, identity]
        let columns = try request.resultColumns(for: entity("Book"))
        #expect(columns.map(\.key) == ["total", "id"])
        #expect(columns.map(\.type) == [.doubleAttributeType, .objectIDAttributeType])
    }

    // Behaviour 6.5
    @Test func aToManyOrUnknownColumnIsAnErrorThatNamesIt() {
        for name in ["tags", "author.books", "color", "author.color"] {
            let error = #expect(throws: CocoaError.self) { try keys([name]) }
            #expect(error?.localizedDescription.contains("'\(name)'") == true)
        }
    }

    @Test func aGroupedResultHasOnlyGroupedAndComputedColumns() throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.propertiesToFetch = ["title", "price"]
        request.propertiesToGroupBy = ["title"]
        let error = #expect(throws: CocoaError.self) { try request.resultColumns(for: entity("Book")) }
        #expect(error?.localizedDescription.contains("'price'") == true)
    }

    @Test func fetchRequestExpressionsKeepTheirParts() throws {
        let request = NSExpression(forConstantValue: NSFetchRequest<NSManagedObject>(entityName: "Book"))
        let context = NSExpression(forVariable: "context")
        let expression = NSFetchRequestExpression.expression(forFetch: request, context: context, countOnly: true)
        let fetch = try #require(expression as? NSFetchRequestExpression)
        #expect(fetch.isCountOnlyRequest)
        #expect(fetch.requestExpression === request && fetch.contextExpression === context)
        #expect(fetch.expressionType == NSFetchRequestExpressionType)
        #expect(NSFetchRequestExpressionType.rawValue == 50)
    }
}
