import Foundation
import OpenCoreData

/// Inserting, changing, deleting.
enum ObjectChecks {
    static let all: [StoreCheck] = [
        StoreCheck("a new object is fetched by another context") { probe in
            try probe.save { probe.make("Person", ["name": "Ada", "age": 36], in: $0) }
            try probe.inContext { context in
                let ada = try probe.one("Person", in: context)
                try probe.equal(ada.value(forKey: "name") as? String, "Ada", "the name")
                try probe.equal(ada.value(forKey: "age") as? Int, 36, "the age")
            }
        },
        StoreCheck("a changed object is fetched with its change") { probe in
            try probe.save { probe.make("Person", ["name": "Ada", "age": 36], in: $0) }
            try probe.save { try probe.one("Person", in: $0).setValue(37, forKey: "age") }
            try probe.inContext { context in
                let ada = try probe.one("Person", in: context)
                try probe.equal(ada.value(forKey: "age") as? Int, 37, "the age")
                try probe.equal(ada.value(forKey: "name") as? String, "Ada", "the name, which was not changed,")
            }
        },
        StoreCheck("a value that is set to nil is removed") { probe in
            try probe.save { probe.make("Person", ["name": "Ada", "age": 36], in: $0) }
            try probe.save { try probe.one("Person", in: $0).setValue(nil, forKey: "name") }
            try probe.inContext { context in
                try probe.expect(
                    try probe.one("Person", in: context).value(forKey: "name") == nil, "the name should be nil")
            }
        },
        StoreCheck("a deleted object is no longer fetched") { probe in
            try probe.save { context in for name in ["a", "b"] { probe.make("Person", ["name": name], in: context) } }
            try probe.save { context in
                context.delete(try probe.one("Person", NSPredicate(format: "name == 'a'"), in: context))
            }
            try probe.inContext { context in
                try probe.equal(probe.names(try probe.fetch("Person", in: context)), ["b"], "who is left")
            }
        },
        StoreCheck("a save without changes succeeds") { probe in
            try probe.inContext { context in
                try context.save()
                try probe.expect(!context.hasChanges, "there should be no changes")
            }
        },
        StoreCheck("one save inserts, changes and deletes together") { probe in
            try probe.save { context in
                for name in ["a", "b", "c"] { probe.make("Person", ["name": name], in: context) }
            }
            try probe.save { context in
                let people = try probe.fetch("Person", by: "name", in: context)
                context.delete(people[0])
                people[1].setValue("B", forKey: "name")
                probe.make("Person", ["name": "d"], in: context)
            }
            try probe.inContext { context in
                try probe.equal(probe.names(try probe.fetch("Person", in: context)), ["B", "c", "d"], "who is there")
            }
        },
        StoreCheck("objects of many saves are fetched") { probe in
            for index in 0..<20 { try probe.save { probe.make("Person", ["name": "p\(index)"], in: $0) } }
            try probe.inContext { context in
                try probe.equal(try probe.fetch("Person", in: context).count, 20, "the number of objects")
            }
        },
        StoreCheck("objects are fetched after the store is opened again", needs: .reopening) { probe in
            try probe.save { context in
                let ada = probe.make("Person", ["name": "Ada"], in: context)
                probe.make("Animal", ["name": "Rex", "owner": ada], in: context)
            }
            try probe.reopen()
            try probe.inContext { context in
                let rex = try probe.one("Animal", in: context)
                let owner = rex.value(forKey: "owner") as? NSManagedObject
                try probe.equal(owner?.value(forKey: "name") as? String, "Ada", "the owner's name")
            }
        },
        StoreCheck("the identifier of a deleted object isn't reused", needs: .reopening) { probe in
            try probe.save { probe.make("Person", ["name": "a"], in: $0) }
            let first = try probe.inContext { try probe.one("Person", in: $0).objectID.uriRepresentation() }
            try probe.save { $0.delete(try probe.one("Person", in: $0)) }
            try probe.reopen()
            try probe.save { probe.make("Person", ["name": "b"], in: $0) }
            let second = try probe.inContext { try probe.one("Person", in: $0).objectID.uriRepresentation() }
            try probe.expect(first != second, "\(first) was used twice")
        },
        StoreCheck("a rolled-back change isn't saved") { probe in
            try probe.save { probe.make("Person", ["name": "Ada"], in: $0) }
            try probe.inContext { context in
                let ada = try probe.one("Person", in: context)
                ada.setValue("Eve", forKey: "name")
                context.rollback()
                try probe.equal(ada.value(forKey: "name") as? String, "Ada", "the name")
                try context.save()
            }
            try probe.inContext { context in
                try probe.equal(
                    try probe.one("Person", in: context).value(forKey: "name") as? String, "Ada", "the stored name")
            }
        },
    ]
}
