#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite(.needsServer) struct OrderWithoutInverseTests {
    private static func model() -> NSManagedObjectModel {
        let (poll, choice) = (NSEntityDescription(), NSEntityDescription())
        (poll.name, choice.name) = ("Poll", "Choice")
        poll.properties = [
            LibraryModel.relationship("choices", to: choice, toMany: true, ordered: true, rule: .nullifyDeleteRule)
        ]
        choice.properties = [LibraryModel.attribute("name", .stringAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [poll, choice]
        return model
    }

    @Test func itIsSavedAndReadAgain() throws {
        try ServerStack.with(model: Self.model()) { stack in
            func order() throws -> String {
                try stack.inContext { context in
                    let poll = try #require(
                        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Poll")).first)
                    let choices = (poll.value(forKey: "choices") as? NSOrderedSet)?.array ?? []
                    return choices.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
                        .joined()
                }
            }
            try stack.inContext { context in
                let choices = "abcd".map { name in
                    let choice = NSEntityDescription.insertNewObject(forEntityName: "Choice", into: context)
                    choice.setValue(String(name), forKey: "name")
                    return choice
                }
                try context.save()
                let poll = NSEntityDescription.insertNewObject(forEntityName: "Poll", into: context)
                poll.setValue(NSOrderedSet(array: [2, 0, 3, 1].map { choices[$0] }), forKey: "choices")
                try context.save()
                #expect(try order() == "cadb")
                let live = poll.mutableOrderedSetValue(forKey: "choices")
                live.moveObjects(at: [3], to: 0)
                live.removeObject(at: 2)
                try context.save()
            }
            #expect(try order() == "bcd")
            let left = "SELECT count(*)::text, count(poll_choices_order)::text FROM choice"
            #expect(try stack.rows(left) == [["4", "3"]])
        }
    }
}
#endif
