#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

private enum Kind: String, Codable { case car, train, plane }
private enum Form: Codable { case new, old }
private struct Spot: Codable, Hashable {
    var city: String
    var zip: Int
}

private enum Tickets {
    @Model final class Ticket {
        #Unique<Ticket>([\.number, \.second])
        #Index<Ticket>([\.second], [\.number, \.second])
        @Attribute(.unique) var kind: Kind?
        var second: Kind
        var number: Int
        var price: Int
        init(_ kind: Kind?, _ second: Kind = .car, number: Int = 0, price: Int = 0) {
            self.kind = kind
            self.second = second
            self.number = number
            self.price = price
        }
    }

    @Model final class UniquePlace {
        @Attribute(.unique) var spot: Spot
        init(spot: Spot) { self.spot = spot }
    }

    @Model final class UniqueForm {
        #Unique<UniqueForm>([\.number, \.form])
        var number: Int = 0
        var form: Form
        init(form: Form) { self.form = form }
    }

    @Model final class IndexedForm {
        #Index<IndexedForm>([\.form])
        var form: Form
        init(form: Form) { self.form = form }
    }

    @Model final class UniqueMark {
        @Attribute(.unique, .ephemeral) var mark: Int = 0
        init() {}
    }

    @Model final class UniqueMembers {
        #Unique<UniqueMembers>([\.tickets])
        var tickets: [Ticket] = []
        init() {}
    }
}

/// Enumerations as unique and as indexed properties.
struct UniqueEnumerationTests {
    private typealias Ticket = Tickets.Ticket

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func container(_ kind: StoreKind, mergesDuplicates: Bool = true) throws -> ModelContainer {
        var place = try kind.configuration(folder)
        place.mergesDuplicates = mergesDuplicates
        return try ModelContainer(for: Ticket.self, configurations: place)
    }

    private func tickets(_ container: ModelContainer) throws -> [String] {
        try ModelContext(container).fetch(FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.price)]))
            .map { "\($0.kind?.rawValue ?? "-") \($0.second) \($0.number) \($0.price)" }
    }

    @Test(arguments: StoreKind.here) func aModelWithTheSameCaseChangesTheRow(_ kind: StoreKind) throws {
        let container = try container(kind)
        for price in 1...2 {
            let context = ModelContext(container)
            context.insert(Ticket(.car, .car, number: 1, price: price))
            context.insert(Ticket(.train, .car, number: 2, price: price + 2))
            context.insert(Ticket(nil, .car, number: price + 2, price: price + 4))
            try context.save()
        }
        #expect(try tickets(container) == ["car car 1 2", "train car 2 4", "- car 3 5", "- car 4 6"])
        let context = ModelContext(container)
        context.insert(Ticket(.plane, .car, number: 2, price: 9))
        try context.save()
        #expect(try tickets(container) == ["car car 1 2", "- car 3 5", "- car 4 6", "plane car 2 9"])
    }

    @Test(arguments: StoreKind.here) func aSecondModelIsRefusedWhereDuplicatesAreNotMerged(_ kind: StoreKind) throws {
        let container = try container(kind, mergesDuplicates: false)
        let context = ModelContext(container)
        let (first, second) = (Ticket(.car, number: 1), Ticket(.train, number: 2))
        context.insert(first)
        context.insert(second)
        try context.save()
        first.kind = .train
        #expect(throws: (any Error).self) { try context.save() }
        second.kind = .car
        try context.save()
        #expect(try tickets(container).sorted() == ["car car 2 0", "train car 1 0"])
    }

    @Test func indexesOfEnumerationsAreInTheStore() throws {
        _ = try container(.file)
        let sql = try SQLiteShell.run(
            "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ZTICKET' ORDER BY name",
            on: folder.file("models.store"))
        #expect(sql.contains("CREATE UNIQUE INDEX Z_Ticket_UNIQUE_kind"))
        #expect(sql.contains("CREATE UNIQUE INDEX Z_Ticket_UNIQUE_number_second"))
        #expect(sql.contains("CREATE INDEX Z_Ticket_SwiftDataIndexOnBinarysecond"))
        let list = try #require(sql.split(separator: "\n").first { $0.contains("SwiftDataIndexOnBinarynumbersecond") })
        #expect(list.contains("ZNUMBER") && list.contains("SECOND"))
    }

    @Test func whatIsNotInOneColumnIsRefusedWithItsName() throws {
        let wrong: [(any PersistentModel.Type, String)] = [
            (Tickets.UniquePlace.self, "UniquePlace.spot can't be unique"),
            (Tickets.UniqueForm.self, "UniqueForm.form can't be unique"),
            (Tickets.IndexedForm.self, "IndexedForm.form can't have an index"),
            (Tickets.UniqueMark.self, "UniqueMark.mark can't be unique"),
            (Tickets.UniqueMembers.self, "UniqueMembers.tickets can't be unique"),
        ]
        for (type, sentence) in wrong {
            let error = #expect(throws: SwiftDataError.self) {
                try ModelContainer(for: type, configurations: ModelConfiguration(url: folder.file("wrong.store")))
            }
            #expect(error?.reason?.hasPrefix(sentence) == true, "\(error?.reason ?? "")")
        }
    }
}
#endif
