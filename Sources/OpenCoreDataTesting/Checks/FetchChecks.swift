import Foundation
import OpenCoreData

/// Predicates, sorting, windows, counts.
enum FetchChecks {
    static let all: [StoreCheck] =
        predicates.map { format in
            StoreCheck("a fetch finds what the predicate matches: \(format)") { probe in
                try fill(probe)
                try probe.inContext { context in
                    let predicate = NSPredicate(format: format)
                    let wanted = try probe.fetch("Person", in: context).filter { predicate.evaluate(with: $0) }
                    let found = try probe.fetch("Person", predicate, in: context)
                    try probe.equal(probe.names(found), probe.names(wanted), "what was found")
                }
            }
        } + [
            StoreCheck("a fetch finds by an object and by its identifier") { probe in
                try fill(probe)
                try probe.inContext { context in
                    let ada = try probe.one("Person", NSPredicate(format: "name == 'Ada'"), in: context)
                    for argument in [ada, ada.objectID] as [NSObject] {
                        let animals = try probe.fetch(
                            "Animal", NSPredicate(format: "owner == %@", argument), in: context)
                        try probe.equal(probe.names(animals), ["Rex", "Tom"], "the animals of Ada")
                    }
                    let people = try probe.fetch("Person", NSPredicate(format: "SELF IN %@", [ada]), in: context)
                    try probe.expect(people.count == 1 && people[0] === ada, "SELF IN should find Ada alone")
                }
            },
            StoreCheck("a fetch sorts by several keys") { probe in
                try fill(probe)
                try probe.inContext { context in
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                    request.sortDescriptors = [
                        NSSortDescriptor(key: "age", ascending: false), NSSortDescriptor(key: "name", ascending: true),
                    ]
                    let names = try context.fetch(request).map { $0.value(forKey: "name") as? String ?? "" }
                    try probe.equal(names, ["Ada", "Eva", "Bo", "Cy", "Dee"], "the order")
                }
            },
            StoreCheck("a fetch has a limit and an offset") { probe in
                try fill(probe)
                try probe.inContext { context in
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                    request.fetchLimit = 2
                    request.fetchOffset = 1
                    let names = try context.fetch(request).map { $0.value(forKey: "name") as? String ?? "" }
                    try probe.equal(names, ["Bo", "Cy"], "the window")
                    request.fetchOffset = 4
                    try probe.equal(try context.fetch(request).count, 1, "what is left at the end")
                    request.fetchOffset = 9
                    try probe.equal(try context.fetch(request).count, 0, "what is behind the end")
                }
            },
            StoreCheck("counts are those of a fetch") { probe in
                try fill(probe)
                try probe.inContext { context in
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                    try probe.equal(try context.count(for: request), 5, "the count")
                    request.predicate = NSPredicate(format: "age > 20")
                    try probe.equal(try context.count(for: request), try context.fetch(request).count, "the count")
                    request.predicate = NSPredicate(format: "name == 'nobody'")
                    try probe.equal(try context.count(for: request), 0, "the count of objects that don't exist")
                }
            },
            StoreCheck("a fetch of identifiers finds the same objects") { probe in
                try fill(probe)
                try probe.inContext { context in
                    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
                    request.resultType = .managedObjectIDResultType
                    let ids = try context.fetch(request)
                    let objects = try probe.fetch("Person", in: context)
                    try probe.equal(Set(ids), Set(objects.map(\.objectID)), "the identifiers")
                }
            },
            StoreCheck("unsaved changes are included in a fetch") { probe in
                try fill(probe)
                try probe.inContext { context in
                    let ada = try probe.one("Person", NSPredicate(format: "name == 'Ada'"), in: context)
                    ada.setValue("Zoe", forKey: "name")
                    probe.make("Person", ["name": "Zed"], in: context)
                    let request = NSPredicate(format: "name BEGINSWITH 'Z'")
                    try probe.equal(
                        probe.names(try probe.fetch("Person", request, in: context)), ["Zed", "Zoe"], "who is found")
                }
            },
            StoreCheck("a key that no entity has is an error", needs: .checkedKeys) { probe in
                try fill(probe)
                try probe.inContext { context in
                    try probe.fails("a fetch by a key that is not there") {
                        _ = try probe.fetch("Person", NSPredicate(format: "shoeSize == 42"), in: context)
                    }
                }
            },
        ]

    private static let predicates = [
        "name == 'Ada'", "name != 'Ada'", "name ==[c] 'ADA'", "name BEGINSWITH 'A'", "name CONTAINS[cd] 'É'",
        "name ENDSWITH 'o'", "name LIKE '*a'", "name MATCHES '[A-C].*'", "name IN {'Ada', 'Bo', 'Nobody'}",
        "age > 30", "age BETWEEN {20, 40}", "age == nil", "age != nil", "NOT (age < 30)", "age < 30 OR name == 'Ada'",
        "animals.@count > 1", "ANY animals.name == 'Rex'", "clubs.@count == 0", "ANY clubs.name BEGINSWITH 'C'",
        "passport != nil", "passport.number == '1'", "SUBQUERY(animals, $a, $a.name == 'Tom').@count == 1",
        "friends.@count == 1", "TRUEPREDICATE", "FALSEPREDICATE",
    ]

    private static func fill(_ probe: StoreProbe) throws {
        try probe.save { context in
            let ada = probe.make("Person", ["name": "Ada", "age": 36], in: context)
            let bo = probe.make("Person", ["name": "Bo", "age": 20], in: context)
            probe.make("Person", ["name": "Cy", "age": 20], in: context)
            probe.make("Student", ["name": "Dee"], in: context)
            probe.make("Student", ["name": "Eva", "age": 25], in: context)
            for name in ["Rex", "Tom"] { probe.make("Animal", ["name": name, "owner": ada], in: context) }
            probe.make("Animal", ["name": "Rex", "owner": bo], in: context)
            probe.make("Club", ["name": "Chess", "members": NSSet(array: [ada, bo])], in: context)
            probe.make("Passport", ["number": "1", "holder": bo], in: context)
            ada.setValue(NSSet(object: bo), forKey: "friends")
        }
    }
}
