import Foundation
import OpenCoreData

/// Results that are dictionaries.
enum DictionaryChecks {
    static let all: [StoreCheck] = [
        StoreCheck("dictionaries have the requested columns") { probe in
            try fill(probe)
            try probe.inContext { context in
                let request = request()
                request.propertiesToFetch = ["name"]
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                let rows = try context.fetch(request)
                try probe.equal(rows.compactMap { $0["name"] as? String }, ["a", "b", "c"], "the names")
                try probe.expect(rows.allSatisfy { $0["age"] == nil }, "there should be no age")
            }
        },
        StoreCheck("dictionaries are filtered, with limit and offset") { probe in
            try fill(probe)
            try probe.inContext { context in
                let request = request()
                request.propertiesToFetch = ["name", "age"]
                request.predicate = NSPredicate(format: "age == 10")
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
                request.fetchLimit = 1
                let rows = try context.fetch(request)
                try probe.equal(rows.compactMap { $0["name"] as? String }, ["b"], "the names")
                try probe.equal(rows.first?["age"] as? Int, 10, "the age")
            }
        },
        StoreCheck("dictionaries can be computed over all rows", needs: .aggregates) { probe in
            try fill(probe)
            try probe.inContext { context in
                let request = request()
                request.propertiesToFetch = [
                    column("total", "sum:"), column("most", "max:"), column("number", "count:"),
                ]
                let row = try context.fetch(request).first
                try probe.equal(row?["total"] as? Int, 40, "the sum")
                try probe.equal(row?["most"] as? Int, 20, "the maximum")
                try probe.equal(row?["number"] as? Int, 3, "the count")
            }
        },
        StoreCheck("dictionaries can be grouped", needs: .aggregates) { probe in
            try fill(probe)
            try probe.inContext { context in
                let request = request()
                request.propertiesToFetch = ["age", column("number", "count:")]
                request.propertiesToGroupBy = ["age"]
                request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
                let rows = try context.fetch(request)
                try probe.equal(rows.compactMap { $0["age"] as? Int }, [10, 20], "the groups")
                try probe.equal(rows.compactMap { $0["number"] as? Int }, [2, 1], "the counts")
            }
        },
        StoreCheck("duplicate dictionaries can be left out", needs: .aggregates) { probe in
            try fill(probe)
            try probe.inContext { context in
                let request = request()
                request.propertiesToFetch = ["age"]
                request.returnsDistinctResults = true
                try probe.equal(
                    Set(try context.fetch(request).compactMap { $0["age"] as? Int }), [10, 20], "the ages")
                try probe.equal(try context.fetch(request).count, 2, "the number of dictionaries")
            }
        },
    ]

    private static func request() -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: "Person")
        request.resultType = .dictionaryResultType
        return request
    }

    private static func column(_ name: String, _ function: String) -> NSExpressionDescription {
        let column = NSExpressionDescription()
        column.name = name
        column.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: "age")])
        column.expressionResultType = .integer64AttributeType
        return column
    }

    private static func fill(_ probe: StoreProbe) throws {
        try probe.save { context in
            for (name, age) in [("a", 10), ("b", 10), ("c", 20)] {
                probe.make("Person", ["name": name, "age": age], in: context)
            }
        }
    }
}
