import Foundation
import OpenCoreData

/// Relationships of every kind, delete rules, entities with subentities.
enum RelationshipChecks {
    static let all: [StoreCheck] = [
        StoreCheck("a to-one and its inverse lead to each other") { probe in
            try probe.save { context in
                let ada = probe.make("Person", ["name": "Ada"], in: context)
                for name in ["Rex", "Tom"] { probe.make("Animal", ["name": name, "owner": ada], in: context) }
            }
            try probe.inContext { context in
                let ada = try probe.one("Person", in: context)
                try probe.equal(probe.names(probe.members(ada, "animals")), ["Rex", "Tom"], "the animals")
                for animal in probe.members(ada, "animals") {
                    try probe.expect(
                        animal.value(forKey: "owner") as? NSManagedObject === ada, "the owner should be Ada")
                }
            }
        },
        StoreCheck("a to-one can be changed and set to nil") { probe in
            try probe.save { context in
                let people = ["Ada", "Bo"].map { probe.make("Person", ["name": $0], in: context) }
                for name in ["Rex", "Tom"] { probe.make("Animal", ["name": name, "owner": people[0]], in: context) }
            }
            try probe.save { context in
                let animals = try probe.fetch("Animal", by: "name", in: context)
                let bo = try probe.one("Person", NSPredicate(format: "name == 'Bo'"), in: context)
                animals[0].setValue(bo, forKey: "owner")
                animals[1].setValue(nil, forKey: "owner")
            }
            try probe.inContext { context in
                let people = try probe.fetch("Person", by: "name", in: context)
                try probe.equal(probe.members(people[0], "animals").count, 0, "the number of Ada's animals")
                try probe.equal(probe.names(probe.members(people[1], "animals")), ["Rex"], "Bo's animals")
            }
        },
        StoreCheck("a one-to-one leads both ways") { probe in
            try probe.save { context in
                let ada = probe.make("Person", ["name": "Ada"], in: context)
                ada.setValue(probe.make("Passport", ["number": "1"], in: context), forKey: "passport")
            }
            try probe.inContext { context in
                let holder = try probe.one("Passport", in: context).value(forKey: "holder") as? NSManagedObject
                try probe.equal(holder?.value(forKey: "name") as? String, "Ada", "the holder's name")
                let passport = holder?.value(forKey: "passport") as? NSManagedObject
                try probe.equal(passport?.value(forKey: "number") as? String, "1", "the passport's number")
            }
        },
        StoreCheck("a many-to-many can be filled and changed from both sides") { probe in
            try probe.save { context in
                let clubs = ["Chess", "Golf"].map { probe.make("Club", ["name": $0], in: context) }
                let people = ["Ada", "Bo"].map { probe.make("Person", ["name": $0], in: context) }
                people[0].setValue(NSSet(array: clubs), forKey: "clubs")
                clubs[0].setValue(NSSet(array: people), forKey: "members")
            }
            try probe.save { context in
                let clubs = try probe.fetch("Club", by: "name", in: context)
                try probe.equal(probe.names(probe.members(clubs[0], "members")), ["Ada", "Bo"], "who plays chess")
                try probe.equal(probe.names(probe.members(clubs[1], "members")), ["Ada"], "who plays golf")
                let bo = try probe.one("Person", NSPredicate(format: "name == 'Bo'"), in: context)
                bo.setValue(NSSet(object: clubs[1]), forKey: "clubs")
            }
            try probe.inContext { context in
                let clubs = try probe.fetch("Club", by: "name", in: context)
                try probe.equal(probe.names(probe.members(clubs[0], "members")), ["Ada"], "who plays chess now")
                try probe.equal(probe.names(probe.members(clubs[1], "members")), ["Ada", "Bo"], "who plays golf now")
            }
        },
        StoreCheck("a relationship that is its own inverse leads both ways") { probe in
            try probe.save { context in
                let people = ["Ada", "Bo", "Cy"].map { probe.make("Person", ["name": $0], in: context) }
                people[0].setValue(NSSet(array: [people[1], people[2]]), forKey: "friends")
            }
            try probe.inContext { context in
                let people = try probe.fetch("Person", by: "name", in: context)
                try probe.equal(probe.names(probe.members(people[0], "friends")), ["Bo", "Cy"], "Ada's friends")
                try probe.equal(probe.names(probe.members(people[2], "friends")), ["Ada"], "Cy's friends")
            }
        },
        StoreCheck("an ordered relationship keeps its order") { try order($0, reopens: false) },
        StoreCheck("an ordered relationship has its order in the store", needs: .reopening) {
            try order($0, reopens: true)
        },
        StoreCheck("deleting cascades") { probe in
            try probe.save { context in
                let ada = probe.make("Person", ["name": "Ada"], in: context)
                probe.make("Animal", ["name": "Rex", "owner": ada], in: context)
                probe.make("Animal", ["name": "Stray"], in: context)
            }
            try probe.save { $0.delete(try probe.one("Person", in: $0)) }
            try probe.inContext { context in
                try probe.equal(probe.names(try probe.fetch("Animal", in: context)), ["Stray"], "the animals left")
            }
        },
        StoreCheck("deleting removes the object from relationships") { probe in
            try probe.save { context in
                let ada = probe.make("Person", ["name": "Ada"], in: context)
                ada.setValue(probe.make("Passport", ["number": "1"], in: context), forKey: "passport")
                ada.setValue(NSSet(object: probe.make("Club", ["name": "Chess"], in: context)), forKey: "clubs")
            }
            try probe.save { $0.delete(try probe.one("Person", in: $0)) }
            try probe.inContext { context in
                try probe.expect(
                    try probe.one("Passport", in: context).value(forKey: "holder") == nil, "there should be no holder")
                let club = try probe.one("Club", in: context)
                try probe.equal(probe.members(club, "members").count, 0, "the number of members")
            }
        },
        StoreCheck("deleting is denied where the rule says so, and nothing is lost") { probe in
            try probe.save { context in
                let country = probe.make("Country", ["name": "FR"], in: context)
                probe.make("Person", ["name": "Ada", "country": country], in: context)
            }
            try probe.inContext { context in
                context.delete(try probe.one("Country", in: context))
                try probe.fails("saving the deletion") { try context.save() }
            }
            try probe.inContext { context in
                let ada = try probe.one("Person", in: context)
                let country = ada.value(forKey: "country") as? NSManagedObject
                try probe.equal(country?.value(forKey: "name") as? String, "FR", "the country")
            }
        },
        StoreCheck("a fetch of an entity includes its subentities") { probe in
            try probe.save { context in
                probe.make("Person", ["name": "Ada"], in: context)
                probe.make("Student", ["name": "Bo", "school": "MIT"], in: context)
            }
            try probe.inContext { context in
                let people = try probe.fetch("Person", by: "name", in: context)
                try probe.equal(people.map { $0.entity.name ?? "" }, ["Person", "Student"], "the entities")
                try probe.equal(people.last?.value(forKey: "school") as? String, "MIT", "the school")
                try probe.equal(try probe.fetch("Student", in: context).count, 1, "the number of students")
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.includesSubentities = false
                try probe.equal(probe.names(try context.fetch(request)), ["Ada"], "those who aren't students")
            }
        },
        StoreCheck("relationships lead to subentities") { probe in
            try probe.save { context in
                let bo = probe.make("Student", ["name": "Bo"], in: context)
                probe.make("Animal", ["name": "Rex", "owner": bo], in: context)
                probe.make("Club", ["name": "Chess", "members": NSSet(object: bo)], in: context)
            }
            try probe.inContext { context in
                let owner = try probe.one("Animal", in: context).value(forKey: "owner") as? NSManagedObject
                try probe.equal(owner?.entity.name, "Student", "the owner's entity")
                let members = probe.members(try probe.one("Club", in: context), "members")
                try probe.equal(members.map { $0.entity.name ?? "" }, ["Student"], "the members' entities")
            }
        },
    ]

    private static func order(_ probe: StoreProbe, reopens: Bool) throws {
        try probe.save { context in
            let tasks = ["c", "a", "b"].map { probe.make("Task", ["name": $0], in: context) }
            probe.make("Person", ["name": "Ada", "tasks": NSOrderedSet(array: tasks)], in: context)
        }
        if reopens { try probe.reopen() }
        try probe.save { context in
            let ada = try probe.one("Person", in: context)
            let tasks = probe.members(ada, "tasks")
            try probe.equal(tasks.map { $0.value(forKey: "name") as? String ?? "" }, ["c", "a", "b"], "the order")
            ada.setValue(NSOrderedSet(array: [tasks[2], tasks[0], tasks[1]]), forKey: "tasks")
        }
        if reopens { try probe.reopen() }
        try probe.inContext { context in
            let tasks = probe.members(try probe.one("Person", in: context), "tasks")
            try probe.equal(tasks.map { $0.value(forKey: "name") as? String ?? "" }, ["b", "c", "a"], "the new order")
        }
    }
}
