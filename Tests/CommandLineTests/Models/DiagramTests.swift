import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import StoreTools

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite struct DiagramTests {
    private static func model(_ entities: String) throws -> NSManagedObjectModel {
        try ModelSourceDocument(data: Data("<model>\(entities)</model>".utf8)).model()
    }

    /// Entities in a ring, each with a relationship to some of the others.
    private static func ring(_ count: Int) throws -> NSManagedObjectModel {
        var string = ""
        for number in 0..<count {
            string += "<entity name=\"E\(number)\"\(number % 5 == 4 ? " parentEntity=\"E\(number - 1)\"" : "")>"
            for attribute in 0..<(number % 7) {
                string += "<attribute name=\"a\(number)of\(attribute)\" attributeType=\"String\"/>"
            }
            for step in [1, 3, 7] {
                let other = (number + step) % count
                string +=
                    "<relationship name=\"r\(number)to\(step)\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"E\(other)\"/>"
            }
            string += "</entity>"
        }
        return try model(string)
    }

    private static func isInside(_ frame: DiagramLayout.Frame, from: DiagramLayout.Point, to: DiagramLayout.Point)
        -> Bool
    {
        let (left, right) = (min(from.x, to.x), max(from.x, to.x))
        let (top, bottom) = (min(from.y, to.y), max(from.y, to.y))
        return left < frame.x + frame.width && right > frame.x && top < frame.y + frame.height && bottom > frame.y
    }

    /// What a picture of a model must hold, whatever the model is.
    private static func check(_ layout: DiagramLayout, _ name: String) {
        for (index, frame) in layout.frames.enumerated() {
            #expect(frame.x > 0 && frame.y > 0, "\(name)")
            #expect(frame.x + frame.width < layout.width && frame.y + frame.height < layout.height, "\(name)")
            for other in layout.frames[..<index] {
                let isApart =
                    other.x + other.width <= frame.x || frame.x + frame.width <= other.x
                    || other.y + other.height <= frame.y || frame.y + frame.height <= other.y
                #expect(isApart, "boxes of \(name) overlap")
            }
        }
        var through = 0
        var along = 0
        var horizontals: [Int: [(Int, Int, Int)]] = [:]
        var verticals: [Int: [(Int, Int, Int)]] = [:]
        for (index, path) in layout.paths.enumerated() {
            for (from, to) in zip(path, path.dropFirst()) {
                #expect(from.x == to.x || from.y == to.y, "a line of \(name) is oblique")
                through += layout.frames.filter { isInside($0, from: from, to: to) }.count
                if from.x == to.x {
                    verticals[from.x, default: []].append((min(from.y, to.y), max(from.y, to.y), index))
                } else {
                    horizontals[from.y, default: []].append((min(from.x, to.x), max(from.x, to.x), index))
                }
            }
        }
        let titles = Set(layout.diagram.lines.indices.filter { layout.diagram.lines[$0].to.row == nil })
        for pieces in Array(horizontals.values) + Array(verticals.values) {
            for (index, piece) in pieces.enumerated() {
                for other in pieces[..<index] where other.2 != piece.2 && other.0 < piece.1 && piece.0 < other.1 {
                    // Lines that end at one title come together there.
                    if !(titles.contains(other.2) && titles.contains(piece.2)) { along += 1 }
                }
            }
        }
        #expect(through == 0, "lines of \(name) run through boxes")
        #expect(along == 0, "lines of \(name) run along each other")
    }

    @Test(arguments: [1, 2, 6, 23, 60]) func boxesAndLinesKeepApart(_ count: Int) throws {
        let layout = DiagramLayout(Diagram(try Self.ring(count)))
        #expect(layout.frames.count == count)
        Self.check(layout, "a ring of \(count)")
    }

    /// Each try changes a few lines of hundreds. The time is this thread's own, whatever else runs.
    @Test func aModelOfHundredsOfEntitiesIsPlacedQuickly() throws {
        let diagram = Diagram(try Self.ring(240))
        let before = Self.processorSeconds
        #expect(DiagramPlacement(diagram).columns.joined().sorted() == Array(0..<240))
        #expect(Self.processorSeconds - before < 8)
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test(arguments: [2, 6, 23, 60]) func costsThatAreKeptAreThoseOfThePicture(_ count: Int) throws {
        let placement = DiagramPlacement(Diagram(try Self.ring(count)))
        #expect(placement.total == placement.costFromTheBeginning())
    }

    @Test(.enabled(if: Fixtures.available), arguments: FixtureModels.all)
    func picturesOfRealModelsAreTidy(_ path: String) throws {
        let source = try ModelReference(try Fixtures.url(path).path).source()
        Self.check(DiagramLayout(Diagram(source.model)), path)
    }

    @Test func oneLineStandsForARelationshipAndItsInverse() throws {
        let model = try Self.model(ModelFolder.first)
        let diagram = Diagram(model)
        #expect(diagram.lines.count == 1)
        let line = try #require(diagram.lines.first)
        #expect(diagram.boxes[line.from.box].title == "Item")
        #expect(line.toEnd == .count(.init(least: 0, most: 1)))
        #expect(line.fromEnd == .count(.init(least: 0, most: nil)))
        #expect(diagram.boxes[0].rows.map(\.name) == ["size", "title", "owner"])
        #expect(diagram.boxes[0].rows.map(\.type) == ["Integer 16", "String?", "Owner"])
    }

    @Test func inheritanceSelfReferencesAndOneWayLinesAreThere() throws {
        let model = try Self.model(
            """
            <entity name="A" isAbstract="YES">
            <relationship name="children" optional="YES" toMany="YES" destinationEntity="A" inverseName="parent" inverseEntity="A"/>
            <relationship name="parent" maxCount="1" destinationEntity="A" inverseName="children" inverseEntity="A"/>
            <relationship name="peer" optional="YES" maxCount="1" destinationEntity="A" inverseName="peer" inverseEntity="A"/>
            </entity>
            <entity name="B" parentEntity="A"><relationship name="all" optional="YES" toMany="YES" minCount="2" maxCount="5" destinationEntity="A"/></entity>
            """)
        let diagram = Diagram(model)
        #expect(diagram.lines.count == 4)
        #expect(diagram.lines.filter(\.isInheritance).count == 1)
        #expect(diagram.lines.filter { $0.toEnd == .arrow }.count == 2)
        #expect(diagram.boxes[1].rows.map(\.type) == ["A 0..5"])
        #expect(
            diagram.lines.contains {
                $0.toEnd == .count(.init(least: 1, most: 1)) || $0.fromEnd == .count(.init(least: 1, most: 1))
            })
        Self.check(DiagramLayout(diagram), "a model with inheritance")
        #expect(Diagram.Count(least: 2, most: 5).text == "2..5")
        #expect(Diagram.Count(least: 1, most: 1).text == "1")
        #expect(Diagram.Count(least: 0, most: nil).text == "0..*")
    }

    @Test func equalModelsHaveEqualPictures() throws {
        let pictures = try (0..<3).map { _ in
            DiagramRenderer(layout: DiagramLayout(Diagram(try Self.ring(23))), title: "R").svg
        }
        #expect(Set(pictures).count == 1)
    }

    @Test func namesAreEscaped() throws {
        #expect(DiagramText.escaped("a<b> & \"c\"\u{1}") == "a&lt;b&gt; &amp; &quot;c&quot;\u{FFFD}")
        let svg = DiagramRenderer(layout: DiagramLayout(Diagram(try Self.model(""))), title: "<&>").svg
        #expect(svg.contains("<title>&lt;&amp;&gt;</title>"))
        #expect(XMLParser(data: Data(svg.utf8)).parse())
    }

    @Test(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
    func theCommandWritesAFileOrItsOutput() throws {
        let models = try ModelFolder()
        let source = try models.versions(["Shop": ModelFolder.first, "Shop 2": ModelFolder.second], current: "Shop 2")
        let printed = try CommandRunner.run("model", "diagram", source, "-o", "-")
        #expect(printed.status == 0, "\(printed.errors)")
        #expect(printed.output.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
        #expect(XMLParser(data: Data(printed.output.utf8)).parse())
        for name in ["Item", "heading", "Owner", "Place"] { #expect(printed.output.contains(">\(name)<")) }
        let file = models.folder.file("Shop.svg")
        let written = try CommandRunner.run("model", "diagram", source, "--output", file.path)
        #expect(written.status == 0)
        #expect(written.output.isEmpty)
        #expect(try String(contentsOf: file, encoding: .utf8) == printed.output)
        let old = try CommandRunner.run("model", "diagram", source + ":Shop", "-o", "-")
        #expect(old.output.contains("<title>Shop, Shop</title>"))
        #expect(!old.output.contains(">Place<"))
        #expect(try CommandRunner.run("model", "diagram", source).status == 64)
    }
}
