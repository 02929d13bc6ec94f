import CoreDataEngine
import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A date that is no number, whose description stops a program in Foundation, in everything that an application prints.
@Suite struct IndescribableDateTests {
    private static let date = Date(timeIntervalSinceReferenceDate: .nan)

    /// A model whose date has to be after the reference date.
    private func model() -> NSManagedObjectModel {
        let model = LibraryModel.make()
        model.entitiesByName["Author"]?.attributesByName["born"]?.setValidationPredicates(
            [NSPredicate(format: "SELF > CAST(0, 'NSDate')")], withValidationWarnings: ["too early"])
        return model
    }

    @Test func theErrorOfAValidationIsPrinted() throws {
        let stack = try TestStack(model: model())
        try stack.inContext { context in
            let author = Author(context: context)
            author.born = Self.date
            let error = try #require(throws: CocoaError.self) { try context.save() }
            let texts = [
                "\(error)", String(reflecting: error), (error as NSError).description, error.localizedDescription,
                "\(error.userInfo)",
            ]
            #expect(texts.allSatisfy { !$0.isEmpty })
            let value = try #require(error.validationValue as? Date)
            #expect(value.timeIntervalSinceReferenceDate.isNaN)
        }
    }

    @Test func errorsDescribeDatesInsideOfCollections() throws {
        let (date, list) = (Self.date, [Self.date])
        let error = CoreDataError.make(
            1, "No.", userInfo: ["list": list, "nested": ["a": [["b": date]]], "fine": Date(), "number": 1])
        #expect("\(error)".contains("nested"))
        #expect((error.userInfo["list"] as? [Date])?.first?.timeIntervalSinceReferenceDate.isNaN == true)
        #expect(error.userInfo["number"] as? Int == 1)
    }

    @Test func aConflictOfAConstraintIsPrinted() throws {
        let stack = try TestStack()
        stack.inContext { context in
            let author = Author(context: context)
            author.born = Self.date
            let conflict = NSConstraintConflict(
                constraint: ["born"], database: nil, databaseSnapshot: nil, conflicting: [author],
                conflictingSnapshots: [])
            #expect("\(conflict)".contains("nan seconds since 2001"))
            #expect(
                "\(NSMergeConflict(source: author, newVersion: 1, oldVersion: 0, cachedSnapshot: ["born": Self.date], persistedSnapshot: nil))"
                    .contains("version"))
        }
    }

    @Test func aSectionMayBeNamedAfterSuchADate() throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        try stack.inContext { context in
            for _ in 0..<2 { Author(context: context).born = Self.date }
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.sortDescriptors = [NSSortDescriptor(key: "born", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "born", cacheName: nil)
            try controller.performFetch()
            #expect(controller.sections?.map(\.name) == ["<nan seconds since 2001-01-01 00:00:00 +0000>"])
        }
    }

    @Test func predicatesAndRequestsArePrinted() throws {
        let request = NSFetchRequest<Author>(entityName: "Author")
        request.predicate = NSPredicate(format: "born == %@ OR born IN %@", Self.date as NSDate, [Self.date])
        #expect("\(request)".contains("born"))
        #expect("\(NSExpression(forConstantValue: Self.date))".isEmpty == false)
        #expect("\(NSExpression(forConstantValue: ["a": Self.date]))".isEmpty == false)
        let update = NSBatchUpdateRequest(entityName: "Author")
        update.propertiesToUpdate = ["born": Self.date, "country": Self.date]
        let stack = try TestStack()
        stack.inContext { context in
            let error = #expect(throws: CocoaError.self) { try context.execute(update) }
            #expect("\(String(describing: error))".contains("country"))
            let insert = NSBatchInsertRequest(entityName: "Author", objects: [["name": Self.date]])
            let refused = #expect(throws: CocoaError.self) { try context.execute(insert) }
            #expect("\(String(describing: refused))".contains("name"))
        }
    }

    private struct Period {
        let begin: Date
    }

    @Test func whatHoldsOneIsDescribed() {
        #expect(
            ValueDescription.string(of: [["a": [Self.date]]])
                == "[[a: [<nan seconds since 2001-01-01 00:00:00 +0000>]]]")
        #expect(ValueDescription.string(of: Set([Self.date])) == "{<nan seconds since 2001-01-01 00:00:00 +0000>}")
        #expect(ValueDescription.string(of: Period(begin: Self.date)) == "Period")
        #expect(ValueDescription.string(of: [Period(begin: Self.date) as Any?]) == "[Period]")
        #expect(ValueDescription.string(of: Period(begin: Date(timeIntervalSinceReferenceDate: 0))).contains("2001"))
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func aFetchWithAConstantThatHoldsOneFindsNothing(type: String) throws {
        let stack = try TestStack(type: type)
        let constants: [Any] = [["a": Self.date], [Self.date], Set([Self.date]), ["a": [Self.date]]]
        try stack.inContext { context in
            _ = Author(context: context)
            try context.save()
            for constant in constants {
                let request = NSFetchRequest<Author>(entityName: "Author")
                request.predicate = NSPredicate(
                    format: "NOT (%@ / name > 1) AND country == %@", argumentArray: [constant, "x"])
                #expect(((try? context.fetch(request)) ?? []).isEmpty)
            }
        }
    }

    @Test func aPropertyOfAnotherTypeIsReported() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let author = Author(context: context)
            author.setValue(Self.date, forKey: "country")
            let error = try #require(throws: CocoaError.self) { try context.save() }
            #expect("\(error)".contains("country"))
        }
    }
}
