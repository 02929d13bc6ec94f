import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

/// The monitor that names the line of faults fired one by one. Serialized: the monitor is one for the program.
@Suite(.serialized) struct FaultMonitorTests {
    final class Reports: Sendable {
        private let kept = Mutex<[FaultMonitor.Report]>([])
        var all: [FaultMonitor.Report] { kept.withLock { $0 } }
        func note(_ report: FaultMonitor.Report) { kept.withLock { $0.append(report) } }
    }

    /// A model whose names no other test uses: other tests run at the same time, and are watched too.
    static func model() -> NSManagedObjectModel {
        let person = NSEntityDescription()
        person.name = "WatchedOwner"
        let pet = NSEntityDescription()
        pet.name = "WatchedPet"
        let pets = LibraryModel.relationship("pets", to: pet, toMany: true, rule: .nullifyDeleteRule)
        let owner = LibraryModel.relationship("owner", to: person, rule: .nullifyDeleteRule)
        pets.inverseRelationship = owner
        owner.inverseRelationship = pets
        person.properties = [LibraryModel.attribute("name", .stringAttributeType), pets]
        pet.properties = [LibraryModel.attribute("name", .stringAttributeType), owner]
        let model = NSManagedObjectModel()
        model.entities = [person, pet]
        return model
    }

    /// A store with some owners, of whom each has a pet; gives the pets' and owners' identifiers.
    static func fill(_ stack: TestStack, count: Int) throws -> (pets: [NSManagedObjectID], owners: [NSManagedObjectID])
    {
        try stack.inContext { context in
            var pets: [NSManagedObject] = []
            var owners: [NSManagedObject] = []
            for index in 0..<count {
                let owner = NSEntityDescription.insertNewObject(forEntityName: "WatchedOwner", into: context)
                owner.setValue("\(index)", forKey: "name")
                let pet = NSEntityDescription.insertNewObject(forEntityName: "WatchedPet", into: context)
                pet.setValue(owner, forKey: "owner")
                pets.append(pet)
                owners.append(owner)
            }
            try context.save()
            return (pets.map(\.objectID), owners.map(\.objectID))
        }
    }

    /// What the monitor reports about the model's entities while a block runs.
    static func reports(threshold: Int, _ body: () throws -> Void) rethrows -> [FaultMonitor.Report] {
        let reports = Reports()
        FaultMonitor.setHandler { reports.note($0) }
        FaultMonitor.threshold = threshold
        defer { FaultMonitor.threshold = nil }
        try body()
        return reports.all.filter { $0.name.hasPrefix("Watched") }
    }

    @Test func faultsOfAToManyFiredOneByOneAreReportedOnce() throws {
        let stack = try TestStack(model: Self.model())
        let owners = try Self.fill(stack, count: 20).owners
        let reports = try Self.reports(threshold: 5) {
            let reader = try TestStack(model: Self.model(), folder: stack.folder)
            try reader.inContext { context in
                for id in owners {
                    let uri = id.uriRepresentation()
                    let local = try #require(reader.coordinator.managedObjectID(forURIRepresentation: uri))
                    let owner = try context.existingObject(with: local)
                    #expect((owner.value(forKey: "pets") as? Set<NSManagedObject>)?.count == 1)
                }
            }
        }
        let report = try #require(reports.first { $0.name == "WatchedOwner.pets" })
        #expect(reports.filter { $0.name == "WatchedOwner.pets" }.count == 1)
        #expect(report.count == 6)
        #expect(report.message.hasPrefix("6 faults of WatchedOwner.pets, one by one, at "))
        #expect(report.message.hasSuffix("; prefetch with relationshipKeyPathsForPrefetching"))
        #if os(Linux) && DEBUG && compiler(>=6.2)
        // A build without debug information has the function's name instead of file and line.
        #expect(report.location?.contains("FaultMonitorTests") == true, "\(report.location ?? "nil")")
        #endif
    }

    @Test func faultsOfAToOneFiredOneByOneAreReported() throws {
        let stack = try TestStack(model: Self.model())
        let pets = try Self.fill(stack, count: 20).pets
        let reports = try Self.reports(threshold: 5) {
            let reader = try TestStack(model: Self.model(), folder: stack.folder)
            try reader.inContext { context in
                for id in pets {
                    let uri = id.uriRepresentation()
                    let local = try #require(reader.coordinator.managedObjectID(forURIRepresentation: uri))
                    let pet = try context.existingObject(with: local)
                    let owner = try #require(pet.value(forKey: "owner") as? NSManagedObject)
                    #expect(owner.value(forKey: "name") is String)
                }
            }
        }
        #expect(reports.contains { $0.name == "WatchedPet.owner" && $0.count == 6 })
    }

    @Test func faultsOfObjectsFetchedTogetherAreNotReported() throws {
        let stack = try TestStack(model: Self.model())
        _ = try Self.fill(stack, count: 40)
        let reports = try Self.reports(threshold: 5) {
            let reader = try TestStack(model: Self.model(), folder: stack.folder)
            try reader.inContext { context in
                let owners = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "WatchedOwner"))
                let names = owners.flatMap { ($0.value(forKey: "pets") as? Set<NSManagedObject>) ?? [] }
                #expect(names.count == 40)
            }
        }
        #expect(reports.isEmpty)
    }

    @Test func nothingIsCountedWhileTheMonitorIsOff() throws {
        let reports = Reports()
        FaultMonitor.setHandler { reports.note($0) }
        FaultMonitor.threshold = nil
        let stack = try TestStack(model: Self.model())
        let owners = try Self.fill(stack, count: 20).owners
        let reader = try TestStack(model: Self.model(), folder: stack.folder)
        try reader.inContext { context in
            for id in owners {
                let uri = id.uriRepresentation()
                let local = try #require(reader.coordinator.managedObjectID(forURIRepresentation: uri))
                _ = try context.existingObject(with: local).value(forKey: "pets")
            }
        }
        #expect(reports.all.filter { $0.name.hasPrefix("Watched") }.isEmpty)
        #expect(FaultMonitor.threshold == nil)
    }
}
