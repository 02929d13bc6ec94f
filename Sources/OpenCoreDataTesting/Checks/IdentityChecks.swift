import Foundation
import OpenCoreData

/// Identifiers, faults, one object for one identity.
enum IdentityChecks {
    static let all: [StoreCheck] = [
        StoreCheck("a save makes temporary identifiers permanent") { probe in
            try probe.inContext { context in
                let ada = probe.make("Person", ["name": "Ada"], in: context)
                try probe.expect(ada.objectID.isTemporaryID, "the identifier should be temporary before the save")
                try context.save()
                try probe.expect(!ada.objectID.isTemporaryID, "the identifier should be permanent after the save")
                try probe.expect(ada.objectID.persistentStore === (try probe.store), "it should be of the store")
                try probe.expect(!ada.isInserted && !context.hasChanges, "nothing should be left to save")
            }
        },
        StoreCheck("permanent identifiers that were obtained before are kept") { probe in
            try probe.inContext { context in
                let ada = probe.make("Person", ["name": "Ada"], in: context)
                try context.obtainPermanentIDs(for: [ada])
                let id = ada.objectID
                try probe.expect(!id.isTemporaryID, "the identifier should be permanent")
                try context.save()
                try probe.equal(ada.objectID, id, "the identifier")
            }
        },
        StoreCheck("an identifier's URI leads back to it") { probe in
            try probe.save { context in
                for name in ["Ada", "Bo"] { probe.make("Student", ["name": name], in: context) }
            }
            try probe.inContext { context in
                for person in try probe.fetch("Person", in: context) {
                    let uri = person.objectID.uriRepresentation()
                    try probe.equal(uri.scheme, "x-coredata", "the scheme")
                    let id = probe.coordinator.managedObjectID(forURIRepresentation: uri)
                    try probe.equal(id, person.objectID, "the identifier for \(uri)")
                    try probe.expect(id.map { context.object(with: $0) } === person, "it should be the same object")
                }
            }
        },
        StoreCheck("a URI is valid after the store is opened again", needs: .reopening) { probe in
            try probe.save { probe.make("Person", ["name": "Ada"], in: $0) }
            let uri = try probe.inContext { try probe.one("Person", in: $0).objectID.uriRepresentation() }
            try probe.reopen()
            try probe.inContext { context in
                guard let id = probe.coordinator.managedObjectID(forURIRepresentation: uri) else {
                    return try probe.expect(false, "\(uri) should be an identifier")
                }
                try probe.equal(
                    try context.existingObject(with: id).value(forKey: "name") as? String, "Ada", "the name")
            }
        },
        StoreCheck("an object is one object in a context, however it is found") { probe in
            try probe.save { context in
                let ada = probe.make("Person", ["name": "Ada"], in: context)
                probe.make("Animal", ["name": "Rex", "owner": ada], in: context)
            }
            try probe.inContext { context in
                let ada = try probe.one("Person", in: context)
                let rex = try probe.one("Animal", in: context)
                try probe.expect(
                    rex.value(forKey: "owner") as? NSManagedObject === ada, "the owner should be the object")
                try probe.expect(probe.members(ada, "animals").first === rex, "the animal should be the object")
                try probe.expect(try probe.one("Person", in: context) === ada, "a second fetch should find the object")
                try probe.expect(try context.existingObject(with: ada.objectID) === ada, "it should be the object")
            }
        },
        StoreCheck("a fault loads its values when one is read") { probe in
            try probe.save { probe.make("Person", ["name": "Ada"], in: $0) }
            let id = try probe.inContext { try probe.one("Person", in: $0).objectID }
            try probe.inContext { context in
                let ada = context.object(with: id)
                try probe.expect(ada.isFault, "it should be a fault")
                try probe.equal(ada.value(forKey: "name") as? String, "Ada", "the name")
                try probe.expect(!ada.isFault, "it should no longer be a fault")
                context.refresh(ada, mergeChanges: false)
                try probe.expect(ada.isFault, "it should be a fault again")
                try probe.equal(ada.value(forKey: "name") as? String, "Ada", "the name")
            }
        },
        StoreCheck("an object that was deleted does not exist") { probe in
            try probe.save { probe.make("Person", ["name": "Ada"], in: $0) }
            let id = try probe.inContext { try probe.one("Person", in: $0).objectID }
            try probe.save { $0.delete(try probe.one("Person", in: $0)) }
            try probe.inContext { context in
                let error = try probe.fails("an object that is gone") { _ = try context.existingObject(with: id) }
                try probe.equal(
                    (error as? CocoaError)?.code.rawValue, NSManagedObjectReferentialIntegrityError, "the error's code")
            }
        },
        StoreCheck("identifiers of different entities and objects differ") { probe in
            try probe.save { context in
                for name in ["a", "b"] {
                    probe.make("Person", ["name": name], in: context)
                    probe.make("Animal", ["name": name], in: context)
                    probe.make("Student", ["name": name], in: context)
                }
            }
            try probe.inContext { context in
                let objects = try probe.fetch("Person", in: context) + probe.fetch("Animal", in: context)
                try probe.equal(Set(objects.map(\.objectID)).count, 6, "the number of identifiers")
                try probe.equal(Set(objects.map { $0.objectID.uriRepresentation() }).count, 6, "the number of URIs")
            }
        },
    ]
}
