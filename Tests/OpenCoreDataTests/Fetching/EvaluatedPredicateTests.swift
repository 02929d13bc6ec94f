import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Predicates that SQL cannot express, or that are too deep for SQLite's parser: all stores give the same answer or the same
/// error.
@Suite struct EvaluatedPredicateTests {
    static let types = [NSInMemoryStoreType, NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType]

    private static func stack(_ type: String) throws -> TestStack {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let authors = ["Ann", "Bob", "Cleo"].map { name in
                let author = Author(context: context)
                author.setValue(name, forKey: "name")
                return author
            }
            let tags = ["x", "y", "z"].map { name in
                let tag = Label(context: context)
                tag.setValue(name, forKey: "name")
                return tag
            }
            for number in 0..<20 {
                let book = number % 5 == 0 ? GraphicNovel(context: context) : Book(context: context)
                book.setValue("Book \(number)", forKey: "title")
                book.setValue(number, forKey: "pages")
                book.setValue(number % 3 == 0 ? nil : "Book 1.*", forKey: "isbn")
                book.setValue(number % 4 == 0 ? "x" : nil, forKey: "extra")
                book.setValue(Decimal(string: "12345678901234567890123456789012345678"), forKey: "cost")
                book.setValue(number % 7 == 0 ? nil : authors[number % 3], forKey: "author")
                book.setValue(Set(tags.prefix(number % 4)), forKey: "tags")
            }
            try context.save()
        }
        return stack
    }

    /// A book with one tag: what nests without end has one way to go.
    private static func pair(_ type: String) throws -> TestStack {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let tag = Label(context: context)
            tag.setValue("x", forKey: "name")
            let book = Book(context: context)
            book.setValue(1, forKey: "pages")
            book.setValue(Set([tag]), forKey: "tags")
            try context.save()
        }
        return stack
    }

    /// What a fetch finds, in order, or the error's code and sentence.
    private static func pages(
        _ predicate: NSPredicate, _ stack: TestStack, _ change: (NSFetchRequest<Book>) -> Void = { _ in }
    ) -> String {
        stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = predicate
            request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
            change(request)
            do {
                let result = try context.fetch(request).compactMap { $0.value(forKey: "pages") as? Int }
                #expect(try context.count(for: request) == result.count)
                return "\(result)"
            } catch {
                return "\((error as NSError).code) \(error.localizedDescription)"
            }
        }
    }

    @Test func whatSQLCannotSayIsAnsweredByAllStores() throws {
        let stacks = try Self.types.map(Self.stack)
        let formats: [(format: String, expected: String?)] = [
            ("count:(tags UNION author.books) > 8", nil), ("count:(tags INTERSECT tags) == 2", "[2, 6, 10, 14, 18]"),
            ("count:(tags MINUS tags) == 0 AND pages < 3", "[0, 1, 2]"), ("extra == 'x'", "[0, 4, 8, 12, 16]"),
            ("NOT extra == 'x' AND pages > 16", "[17, 18, 19]"),
            ("title MATCHES isbn", "[1, 10, 11, 13, 14, 16, 17, 19]"),
            ("tags.@distinctUnionOfObjects.name CONTAINS 'z'", "[3, 7, 11, 15, 19]"),
            ("pages > 10 AND CAST(pages, 'NSNoSuchType') == 3", nil), ("pages > 100 AND CAST(pages, 'x') == 3", "[]"),
            ("title + 1 == 2", nil), ("tags + 1 == 2", nil), ("uppercase:(published) == 'X'", "[]"),
            ("mode:({pages, 3, 3}) CONTAINS 3 AND pages < 4", "[0, 1, 2, 3]"), ("tags == 3", nil),
            ("title == {'a', 'b'}", nil), ("title BETWEEN {1}", nil), ("{title, isbn} BEGINSWITH 'a'", nil),
            ("author.books[SIZE] == 5", nil), ("pages == $missing", nil), ("pages > 3 OR color == 'red'", nil),
            ("SUBQUERY(tags, $t, $t.color == 'red').@count == 0", nil), ("FALSEPREDICATE AND title MATCHES '['", nil),
            ("1 / CAST(isbn, 'NSNumber') == 0", nil), ("7 / CAST(pages, 'NSNumber') == 3", "[2]"),
            ("max:({pages, price}) / 2 == 1", "[2, 3]"), ("average:(title) < author", nil), ("median:(home) == 3", nil),
            ("tags.@count.name == 3", nil),
            ("FUNCTION(title, 'lowercase:', 1) < 'a'", nil), ("TERNARY(1 == 1, pages, color) == 3", nil),
            ("entity + 1 == 2", nil), ("uppercase:(entity) == 'X'", nil),
            ("cost == 12345678901234567890123456789012345678 AND extra == 'x'", "[0, 4, 8, 12, 16]"),
        ]
        for (format, expected) in formats {
            let predicate = try NSPredicate(validatingFormat: format)
            let answers = stacks.map { Self.pages(predicate, $0) }
            #expect(Set(answers).count == 1, "\(format): \(answers)")
            if let expected { #expect(answers[0] == expected, "\(format)") }
            let window = stacks.map { stack in
                Self.pages(predicate, stack) {
                    $0.fetchLimit = 3
                    $0.fetchOffset = 1
                    $0.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)]
                }
            }
            #expect(Set(window).count == 1, "\(format): \(window)")
        }
    }

    @Test func aSetHasNoBounds() throws {
        let stacks = try Self.types.map(Self.stack)
        for predicate in [
            NSPredicate(format: "title BETWEEN %@", Set(["Book 1", "Book 2"])),
            NSPredicate(format: "'b' BETWEEN %@", NSSet(array: ["a", "c"])),
        ] {
            let answers = stacks.map { Self.pages(predicate, $0) }
            #expect(Set(answers).count == 1 && answers[0].contains("BETWEEN"), "\(answers)")
        }
    }

    @Test func mistakesAreTheSameErrorsInAnEmptyStore() throws {
        let stacks = try Self.types.map { try TestStack(type: $0) }
        for format in [
            "color == 'red'", "title MATCHES '['", "pages == $missing",
            "SUBQUERY(tags, $t, $t.color == 1).@count == 0",
        ] {
            let answers = try stacks.map { try Self.pages(NSPredicate(validatingFormat: format), $0) }
            #expect(Set(answers).count == 1 && !answers[0].hasPrefix("["), "\(format): \(answers)")
        }
    }

    @Test(arguments: [
        "objectID > 1", "SELF <= $other", "$other < SELF", "author.objectID >= $other",
        "objectID BETWEEN {$other, $other}",
        "ANY tags.objectID > $other", "SUBQUERY(tags, $t, $t < $other).@count == 0",
    ])
    func objectsHaveNoOrder(_ format: String) throws {
        for type in Self.types {
            let stack = try Self.stack(type)
            let answer = try stack.inContext { context in
                let other = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))[0].objectID
                return try Self.pages(
                    NSPredicate(validatingFormat: format).withSubstitutionVariables(["other": other]), stack)
            }
            #expect(answer.contains("An object or its objectID can't be compared with "), "\(type): \(answer)")
            #expect(answer.contains("use ==, != or IN"), "\(type): \(answer)")
        }
    }

    @Test func deepFunctionsAndSubqueriesAreAnswered() throws {
        let stacks = try Self.types.map(Self.stack)
        let pairs = try Self.types.map(Self.pair)
        for depth in [10, 15, 40, 200] {
            var function = NSExpression(forKeyPath: "pages")
            var subquery = NSPredicate(format: "ANY $t0.name == 'x'")
            for _ in 0..<depth { function = NSExpression(forFunction: "abs:", arguments: [function]) }
            for level in (0..<min(depth, 20)).reversed() {
                let owner = level == 0 ? "tags" : level % 2 == 1 ? "$t\(level - 1).books" : "$t\(level - 1).tags"
                let last = level == min(depth, 20) - 1
                let inner = last ? NSPredicate(format: "SELF == SELF") : subquery
                let collection = NSExpression(format: owner, argumentArray: [])
                subquery = NSComparisonPredicate(
                    leftExpression: NSExpression(
                        forFunction: NSExpression(
                            forSubquery: collection, usingIteratorVariable: "t\(level)", predicate: inner),
                        selectorName: "valueForKeyPath:", arguments: [NSExpression(forConstantValue: "@count")]),
                    rightExpression: NSExpression(forConstantValue: 0), modifier: .direct, type: .greaterThan)
            }
            let deep = NSComparisonPredicate(
                leftExpression: function, rightExpression: NSExpression(forConstantValue: 17), modifier: .direct,
                type: .greaterThan)
            #expect(stacks.map { Self.pages(deep, $0) } == stacks.map { _ in "[18, 19]" }, "\(depth)")
            guard depth < 40 else { continue }
            let small = NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(format: "pages < 3"), subquery])
            #expect(pairs.map { Self.pages(small, $0) } == pairs.map { _ in "[1]" }, "\(depth)")
        }
    }

    /// A set as an argument has another order each time, and a power of what is no number can be 1.
    @Test func setsByIndexAndPowersOfNoNumberAreTheSameInAllStores() throws {
        let stacks = try Self.types.map(Self.stack)
        let nan = Date(timeIntervalSinceReferenceDate: .nan)
        let predicates: [(predicate: NSPredicate, expected: String?)] = [
            (NSPredicate(format: "CAST(%@[0], \"NSDate\") <[cn] pages", Set(["x y", "ba", "-2"])), nil),
            (NSPredicate(format: "pages > 18 AND %@[LAST] == 'a'", Set(["a", "b"])), nil),
            (NSPredicate(format: "ANY tags.name == %@[1]", Set(["x", "y"])), nil),
            (NSPredicate(format: "tags[0].name == 'x'"), nil), (NSPredicate(format: "tags[FIRST].name == 'x'"), nil),
            (NSPredicate(format: "%@[SIZE] == pages", Set(["x", "y"])), "[2]"),
            (NSPredicate(format: "%@[1] == pages", [3, 4]), "[4]"),
            (NSPredicate(format: "raise:toPower:(%@, pages) <= %@", nan, "a"), "[]"),
            (NSPredicate(format: "1.5 >= pages ** %@", nan), "[]"), (NSPredicate(format: "%@ ** 0 == 1", nan), "[]"),
            (NSPredicate(format: "%@ ** pages == 1", Double.nan as NSNumber), "[]"),
            (NSPredicate(format: "floor:(%@) <= pages", Double.nan as NSNumber), "[]"),
            (NSPredicate(format: "raise:toPower:(%@, pages) > 2", UUID() as NSUUID), nil),
            (NSPredicate(format: "raise:toPower:(%@, 2) > 2", UUID() as NSUUID), nil),
            (NSPredicate(format: "pages > 100 AND raise:toPower:(%@, 2) > 2", UUID() as NSUUID), nil),
            (NSPredicate(format: "pages > 100 AND raise:toPower:(%@, pages) > 2", UUID() as NSUUID), nil),
            (NSPredicate(format: "pages == 1 OR raise:toPower:(%@, pages) > 2", UUID() as NSUUID), nil),
        ]
        for (predicate, expected) in predicates {
            let answers = stacks.map { Self.pages(predicate, $0) }
            #expect(Set(answers).count == 1, "\(predicate): \(answers)")
            if let expected { #expect(answers[0] == expected, "\(predicate)") }
        }
        let huge = [
            NSNumber(value: UInt64.max), NSNumber(value: UInt64(1) << 63), 9.3e18,
            NSDecimalNumber(string: "9223372036854775809"),
        ]
        for number in huge {
            for left in [
                "TERNARY(pages > 9, %@, pages)", "TERNARY(pages > 9, pages, %@)", "TERNARY(author == nil, %@, cost)",
            ] {
                for right in [
                    "{pages, 1, nil}", "{%@, pages}", "{cost, 9223372036854775808, pages}",
                    "{title, pages, 18446744073709551615}", "{3, 4, %@}",
                ] {
                    let arguments = [number] + (right.contains("%@") ? [number] : [])
                    let predicate = NSPredicate(format: "\(left) IN \(right)", argumentArray: arguments)
                    let answers = stacks.map { Self.pages(predicate, $0) }
                    #expect(Set(answers).count == 1, "\(predicate): \(answers)")
                }
            }
        }
    }

    /// What gets too large for an integer is a double, whose string has as many digits as it needs.
    @Test func resultsBeyondIntegersHaveTheSameStringsInEachStore() throws {
        let stacks = try Self.types.map { try Self.stack($0) }
        let predicates = [
            "ANY pages - (-9223372036854775808) IN 9.223372036854776e+18",
            "pages - (-9223372036854775808) CONTAINS '776e+18'", "pages + 9223372036854775807 BEGINSWITH '9.22'",
            "pages * 4611686018427387904 ENDSWITH 'e+19'", "pages + 1 BEGINSWITH '1'", "pages CONTAINS '1'",
        ]
        for format in predicates {
            let answers = stacks.map { Self.pages(NSPredicate(format: format), $0) }
            #expect(Set(answers).count == 1 && !answers[0].contains("[]"), "\(format): \(answers)")
        }
    }

    @Test func locationsAreComparedInTheOrderOfTheLocaleAsStringsAre() throws {
        let stacks = try Self.types.map { try Self.stack($0) }
        for stack in stacks {
            try stack.inContext { context in
                for book in try context.fetch(NSFetchRequest<Book>(entityName: "Book")) {
                    book.setValue(URL(string: "mailto:a@example.org"), forKey: "home")
                    if book.pages % 2 == 0 { book.setValue("Zebra", forKey: "title") }
                }
                try context.save()
            }
        }
        for format in ["home >=[l] title", "title <[l] home", "home ==[l] 'MAILTO:a@example.org'", "home >=[l] home"] {
            let answers = stacks.map { Self.pages(NSPredicate(format: format), $0) }
            #expect(Set(answers).count == 1, "\(format): \(answers)")
        }
        #expect(Self.pages(NSPredicate(format: "home >[l] 'Zebra'"), stacks[0]) == "[]")
    }

    @Test func aRegularExpressionThatTakesForEverIsAnErrorThatQuotesIt() throws {
        let stacks = try Self.types.map { try TestStack(type: $0) }
        let start = ContinuousClock.now
        for stack in stacks {
            try stack.inContext { context in
                Book(context: context).setValue(String(repeating: "a", count: 64), forKey: "title")
                try context.save()
            }
        }
        for pattern in ["(a+)+b", "(a|a|aa)*c", "([a-z]+)*\\d"] {
            let predicate = NSPredicate(format: "title MATCHES %@", pattern)
            // Each takes as long as it may; how the stores tell of it doesn't depend on the pattern.
            let answers = stacks.prefix(pattern == "(a+)+b" ? stacks.count : 1).map { Self.pages(predicate, $0) }
            #expect(Set(answers).count == 1, "\(answers)")
            #expect(answers[0].contains(pattern) && answers[0].contains("134060"), "\(answers[0])")
            #expect(!predicate.evaluate(with: ["title": String(repeating: "a", count: 64)]))
        }
        #expect(ContinuousClock.now - start < .seconds(120))
        #expect(Self.pages(NSPredicate(format: "title MATCHES '(a+)+'"), stacks[1]) == "[0]")
    }

    @Test(arguments: types) func batchesAndColumnsFollowSuchPredicates(_ type: String) throws {
        let stack = try Self.stack(type)
        try stack.inContext { (context) throws in
            let even = NSPredicate(format: "extra == 'x'")
            let columns = NSFetchRequest<NSDictionary>(entityName: "Book")
            columns.resultType = .dictionaryResultType
            columns.propertiesToFetch = ["pages"]
            columns.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)]
            columns.predicate = even
            #expect(try context.fetch(columns).compactMap { $0["pages"] as? Int } == [16, 12, 8, 4, 0])
            let groups = NSFetchRequest<NSDictionary>(entityName: "Book")
            groups.resultType = .dictionaryResultType
            groups.propertiesToFetch = ["author.name"]
            groups.propertiesToGroupBy = ["author.name"]
            groups.havingPredicate = NSPredicate(format: "count:(pages) > 5 AND author.name MATCHES author.name")
            groups.sortDescriptors = [NSSortDescriptor(key: "author.name", ascending: true)]
            #expect(try context.fetch(groups).compactMap { $0["author.name"] as? String } == ["Ann", "Bob"])
            // Stores that are one file have no batches.
            guard type == NSInMemoryStoreType || type == NSSQLiteStoreType else { return }
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.predicate = even
            update.propertiesToUpdate = ["isbn": "changed"]
            update.resultType = .updatedObjectsCountResultType
            #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 5)
            let changed = NSFetchRequest<Book>(entityName: "Book")
            changed.predicate = NSPredicate(format: "isbn == 'changed'")
            #expect(try context.count(for: changed) == 5)
            let doomed = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
            doomed.predicate = even
            let delete = NSBatchDeleteRequest(fetchRequest: doomed)
            delete.resultType = .resultTypeCount
            #expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 5)
            #expect(try context.count(for: NSFetchRequest<Book>(entityName: "Book")) == 15)
        }
    }

    @Test func anExplanationSaysThatRowsAreEvaluated() throws {
        let stack = try Self.stack(NSSQLiteStoreType)
        try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "pages > 3 AND extra == 'x'")
            let evaluated = try #require(try context.explain(request).statements.first)
            #expect(evaluated.isPredicateEvaluated && evaluated.rowsReturned == 4)
            request.predicate = NSPredicate(format: "pages > 3")
            #expect(try context.explain(request).statements.first?.isPredicateEvaluated == false)
        }
    }

    @Test(arguments: types) func objectsOfOtherStoresMatchNothing(_ type: String) throws {
        let (stack, other) = (try Self.stack(type), try Self.stack(type))
        try other.inContext { context in
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.predicate = NSPredicate(format: "name == 'Bob'")
            let stranger = try #require(try context.fetch(request).first)
            #expect(Self.pages(NSPredicate(format: "author == %@", stranger), stack) == "[]")
            #expect(Self.pages(NSPredicate(format: "author == %@", stranger), other) != "[]")
            #expect(Self.pages(NSPredicate(format: "author IN %@", [stranger]), stack) == "[]")
        }
    }

    /// Rows are looked at in parts, and what they lead to is read for a part at a time.
    @Test func manyRowsTakeFewStatements() throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        try stack.inContext { context in
            let authors = (0..<50).map { number in
                let author = Author(context: context)
                author.setValue("Author \(number)", forKey: "name")
                return author
            }
            for number in 0..<2_500 {
                let book = Book(context: context)
                book.setValue(number, forKey: "pages")
                book.setValue(authors[number % 50], forKey: "author")
            }
            try context.save()
        }
        let predicate = NSPredicate(
            format: "author.name ENDSWITH '7' AND count:(author.books UNION author.books) == 50")
        log.clear()
        let answer = Self.pages(predicate, stack) { $0.fetchLimit = 2 }
        #expect(answer == "[7, 17]")
        #expect(log.selects.count < 120, "\(log.selects.count)")
    }
}
