import Foundation
import OpenCoreDataKit
import Testing

@MainActor @Suite struct SurfaceTests {
    private let club: Club
    private let results: LiveResults<PlayerEntity>

    init() throws {
        club = try Club()
        for name in ["Ann", "Bob", "Cid"] { PlayerEntity(context: club.main).name = name }
        try club.main.save()
        let request = NSFetchRequest<PlayerEntity>(entityName: "Player")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        results = try LiveResults(request: request, in: club.main)
    }

    private func add(_ name: String) throws {
        PlayerEntity(context: club.main).name = name
        try club.main.save()
    }

    private func drive(_ surface: HeadlessSurface<String>) { results.drive(surface) { player, _ in player.name ?? "" } }

    @Test func aSurfaceReloadsOnceAndThenGetsBatches() throws {
        let surface = HeadlessSurface<String>()
        drive(surface)
        try add("Abe")
        #expect(
            surface.events == [
                .reload, .placeholder(false), .batch(ListChanges(insertedRows: [[0, 0]])), .placeholder(false),
            ])
        #expect(surface.rows == [["Abe", "Ann", "Bob", "Cid"]])
    }

    @Test func whatNobodySeesIsReloaded() throws {
        let surface = HeadlessSurface<String>()
        drive(surface)
        surface.isShowing = false
        surface.forgetEvents()
        try add("Abe")
        #expect(surface.events == [.reload, .placeholder(false)])
        surface.isShowing = true
        try add("Abi")
        #expect(surface.batches == [ListChanges(insertedRows: [[0, 1]])])
        #expect(surface.rows == [["Abe", "Abi", "Ann", "Bob", "Cid"]] && surface.violations.isEmpty)
    }

    @Test func batchesWaitForTheOneBefore() throws {
        let surface = HeadlessSurface<String>()
        surface.completesAtOnce = false
        drive(surface)
        try add("Abe")
        try add("Abi")
        results.objects[3].name = "Bob 2"
        try club.main.save()
        try add("Zoe")
        // The first is being shown; later changes wait, and the surface's content is that of the first.
        #expect(surface.batches.count == 1 && surface.rows == [["Abe", "Ann", "Bob", "Cid"]])
        surface.completeBatch()
        #expect(surface.rows == [["Abe", "Abi", "Ann", "Bob 2", "Cid", "Zoe"]])
        #expect(
            surface.batches.last
                == ListChanges(insertedRows: [[0, 1], [0, 5]], updatedRows: [[0, 2]]))
        surface.completeBatch()
        try add("Yul")
        surface.completeBatch()
        #expect(surface.rows == [["Abe", "Abi", "Ann", "Bob 2", "Cid", "Yul", "Zoe"]])
        #expect(surface.violations.isEmpty && surface.batches.count == 3)
    }

    @Test func placeholdersFollowTheCount() throws {
        let surface = HeadlessSurface<String>()
        drive(surface)
        #expect(!surface.showsPlaceholder)
        for player in results.objects { club.main.delete(player) }
        try club.main.save()
        #expect(surface.showsPlaceholder)
        try add("Ann")
        #expect(!surface.showsPlaceholder)
    }

    @Test func aSurfaceWhoseResultsAreGoneShowsNoRows() throws {
        let surface = HeadlessSurface<String>()
        var list: ListContent<String>?
        do {
            let request = NSFetchRequest<PlayerEntity>(entityName: "Player")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let results = try LiveResults(request: request, in: club.main)
            let spy = ContentSpy { list = $0 }
            results.drive(spy) { player, _ in player.name ?? "" }
            results.drive(surface) { player, _ in player.name ?? "" }
            #expect(list?.rows == [["Ann", "Bob", "Cid"]] && list?.counts == [3])
        }
        #expect(list?.numberOfSections == 0 && list?.row(at: [0, 0]) == nil && list?.numberOfRows(inSection: 0) == 0)
        surface.reload()
        #expect(surface.rows.isEmpty)
    }

    private final class ContentSpy: ListSurface {
        private let take: (ListContent<String>?) -> Void
        init(_ take: @escaping (ListContent<String>?) -> Void) { self.take = take }
        func show(_ content: ListContent<String>?) { take(content) }
        func reload() {}
        func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void) { completion() }
    }

    @Test func resultsHoldSurfacesWeaklyAndLetGoOfThem() throws {
        var surface: HeadlessSurface<String>? = HeadlessSurface()
        weak let released = surface
        if let surface { drive(surface) }
        surface = nil
        #expect(released == nil)
        try add("Abe")
        let other = HeadlessSurface<String>()
        drive(other)
        results.stopDriving(other)
        #expect(other.rows.isEmpty)
        try add("Abi")
        #expect(other.rows.isEmpty && other.batches.isEmpty)
    }

    @Test func twoSurfacesShowTheSameResults() throws {
        let names = HeadlessSurface<String>()
        let objects = HeadlessSurface<PlayerEntity>()
        drive(names)
        results.drive(objects)
        try add("Abe")
        #expect(objects.rows == [results.objects] && names.rows == [["Abe", "Ann", "Bob", "Cid"]])
    }

    @Test func theHeadlessSurfaceFindsBatchesThatDoNotAddUp() {
        final class Model { var rows = [["a", "b"]] }
        let model = Model()
        let content = ListContent<String>(
            sections: { model.rows.count }, rows: { model.rows[$0].count },
            row: { model.rows[$0.section][$0.row] })
        let surface = HeadlessSurface<String>()
        surface.show(content)
        surface.reload()
        model.rows = [["a"]]
        surface.apply(ListChanges(insertedRows: [[0, 0]])) {}
        #expect(surface.violations.count == 1 && surface.rows == [["a"]])
    }

    @Test func theTerminalDrawsOnlyLinesThatChanged() throws {
        var string = ""
        let surface = TerminalSurface(firstLine: 3, placeholder: "nobody") { string += $0 }
        results.drive(surface) { player, _ in player.name ?? "" }
        #expect(surface.lines == ["  Ann", "  Bob", "  Cid"] && surface.linesWritten == 3)
        string = ""
        results.objects[1].name = "Bob\u{1B}[2J\n2"
        try club.main.save()
        #expect(surface.linesWritten == 1)
        // Control characters of the data are not written.
        #expect(string == "\u{1B}[4;1H\u{1B}[2K  Bob [2J 2\u{1B}[6;1H")
        for player in results.objects { club.main.delete(player) }
        try club.main.save()
        #expect(surface.lines == ["nobody"] && surface.linesWritten == 3)
        try add("Zoe")
        #expect(surface.lines == ["  Zoe"])
    }

    @Test func theTerminalShowsTitlesOfSections() throws {
        for player in results.objects { player.city = player.name == "Bob" ? "Aachen" : "Bonn" }
        try club.main.save()
        let request = NSFetchRequest<PlayerEntity>(entityName: "Player")
        request.sortDescriptors = ["city", "name"].map { NSSortDescriptor(key: $0, ascending: true) }
        let results = try LiveResults(request: request, sectionKeyPath: "city", in: club.main)
        let surface = TerminalSurface { _ in }
        results.drive(
            surface, title: { name, index in "\(index + 1). \(name)" }, row: { player, _ in player.name ?? "" })
        #expect(surface.lines == ["1. Aachen", "  Bob", "2. Bonn", "  Ann", "  Cid"])
        results.objects[0].city = "Bonn"
        try club.main.save()
        #expect(surface.lines == ["1. Bonn", "  Ann", "  Bob", "  Cid"])
    }
}
