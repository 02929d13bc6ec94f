import Foundation
import OpenCoreData

/// Two contexts that change one object; uniqueness.
enum ConflictChecks {
    static let all: [StoreCheck] = [
        StoreCheck("a change of what another context has changed is a conflict", needs: .locking) { probe in
            try probe.save { probe.make("Person", ["name": "Ada", "age": 1], in: $0) }
            try probe.inContext { context in
                let mine = try probe.one("Person", in: context)
                _ = mine.value(forKey: "age")
                try probe.save { try probe.one("Person", in: $0).setValue(2, forKey: "age") }
                mine.setValue(3, forKey: "age")
                let error = try probe.fails("the second save") { try context.save() }
                try probe.equal((error as? CocoaError)?.code.rawValue, NSManagedObjectMergeError, "the error's code")
                try probe.expect(mine.hasChanges && mine.value(forKey: "age") as? Int == 3, "the change should be kept")
            }
            try probe.inContext { context in
                try probe.equal(try probe.one("Person", in: context).value(forKey: "age") as? Int, 2, "the stored age")
            }
        },
        StoreCheck("the object's changes win when the policy says so", needs: .locking) { probe in
            try settle(probe, NSMergePolicy.mergeByPropertyObjectTrump, age: 3, name: "Theirs")
        },
        StoreCheck("the store's changes win when the policy says so", needs: .locking) { probe in
            try settle(probe, NSMergePolicy.mergeByPropertyStoreTrump, age: 2, name: "Theirs")
        },
        StoreCheck("a change of what another context has deleted is a conflict", needs: .locking) { probe in
            try probe.save { probe.make("Person", ["name": "Ada"], in: $0) }
            try probe.inContext { context in
                let mine = try probe.one("Person", in: context)
                _ = mine.value(forKey: "name")
                try probe.save { $0.delete(try probe.one("Person", in: $0)) }
                mine.setValue("Eve", forKey: "name")
                try probe.fails("the second save") { try context.save() }
            }
        },
        StoreCheck("a uniqueness constraint refuses duplicates", needs: .uniqueness) { probe in
            try probe.save { probe.make("Code", ["code": "x"], in: $0) }
            try probe.inContext { context in
                probe.make("Code", ["code": "x"], in: context)
                try probe.fails("saving a second object with a unique value") { try context.save() }
            }
            try probe.inContext { context in
                try probe.equal(try probe.fetch("Code", in: context).count, 1, "the number of objects")
            }
        },
    ]

    /// Theirs: age 2 and another name. Mine: age 3.
    private static func settle(_ probe: StoreProbe, _ policy: NSMergePolicy, age: Int, name: String) throws {
        try probe.save { probe.make("Person", ["name": "Ada", "age": 1], in: $0) }
        try probe.inContext { context in
            context.mergePolicy = policy
            let mine = try probe.one("Person", in: context)
            _ = mine.value(forKey: "age")
            try probe.save { other in
                let theirs = try probe.one("Person", in: other)
                theirs.setValue(2, forKey: "age")
                theirs.setValue("Theirs", forKey: "name")
            }
            mine.setValue(3, forKey: "age")
            try context.save()
        }
        try probe.inContext { context in
            let ada = try probe.one("Person", in: context)
            try probe.equal(ada.value(forKey: "age") as? Int, age, "the age")
            try probe.equal(ada.value(forKey: "name") as? String, name, "the name")
        }
    }
}
