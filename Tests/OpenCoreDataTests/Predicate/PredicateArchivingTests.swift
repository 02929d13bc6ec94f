import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Predicates that have no text form.
@Suite struct PredicateArchivingTests {
    private final class Thing: NSObject {}

    private func expectNoArchive(_ predicate: NSPredicate, _ reason: String) throws {
        let string = predicate.archivingError?.localizedDescription ?? ""
        #expect(string.contains(reason), "\(string)")
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver.unarchivedObject(
                ofClasses: [NSPredicate.self, NSComparisonPredicate.self, NSCompoundPredicate.self], from: data)
        }
    }

    @Test func objectsInPredicatesAreAnErrorAndNoCrash() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let author = Author(context: context)
            try expectNoArchive(NSPredicate(format: "author == %@", author), "constant that has no text form")
            try expectNoArchive(NSPredicate(format: "author == %@", author.objectID), "constant that has no text form")
            try expectNoArchive(
                NSPredicate(format: "author IN %@ AND title == 'x'", [author] as [Any]),
                "constant that has no text form")
        }
        try expectNoArchive(NSPredicate(format: "thing == %@", Thing()), "constant that has no text form")
        try expectNoArchive(NSPredicate { _, _ in true }, "a block")
        try expectNoArchive(NSPredicate(format: "a =="), "not valid")
    }

    @Test func sortDescriptorsThatCanNotBeArchivedAreNoCrash() throws {
        let descriptor = NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedSame }
        let data = try NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true)
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: data)
        }
    }

    @Test func predicatesWithoutErrorHaveNone() {
        let date = Date(timeIntervalSinceReferenceDate: .nan)
        #expect(NSPredicate(format: "a == %@", date as NSDate).archivingError == nil)
        #expect(NSPredicate(format: "a IN %@", ["x", "y"]).archivingError == nil)
    }
}
