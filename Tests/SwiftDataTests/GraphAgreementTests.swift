#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

private enum Genre: String, Codable, CaseIterable { case rock, jazz, folk }
private enum Form: Codable, CaseIterable { case vinyl, disc, file }

private struct Town: Codable, Hashable {
    var name: String
    var size: Int?
}

private protocol Keyed: PersistentModel {
    var key: Int { get set }
    var name: String { get set }
    init(key: Int)
}

private enum Graph {
    @Model final class Band: Keyed {
        var key: Int
        var name: String = "new"
        var founded: Int?
        var genre: Genre = Genre.rock
        var form: Form?
        var town: Town?
        var tags: [String] = []
        @Relationship(deleteRule: .cascade, inverse: \Album.band) var albums: [Album] = []
        @Relationship(inverse: \Artist.bands) var artists: [Artist] = []
        init(key: Int) { self.key = key }
    }

    @Model class Album: Keyed {
        var key: Int
        var name: String = "new"
        var founded: Int?
        var band: Band?
        @Relationship(deleteRule: .cascade) var tracks: [Track]? = []
        required init(key: Int) { self.key = key }
    }

    @Model final class Single: Album {
        var isHit: Bool = false
        required init(key: Int) { super.init(key: key) }
    }

    @Model final class Track: Keyed {
        var key: Int
        var name: String = "new"
        @Relationship(inverse: \Album.tracks) var album: Album?
        var author: Artist?
        init(key: Int) { self.key = key }
    }

    @Model final class Artist: Keyed {
        var key: Int
        var name: String = "new"
        var bands: [Band]? = []
        @Relationship(deleteRule: .nullify, inverse: \Track.author) var written: [Track] = []
        init(key: Int) { self.key = key }
    }
}

/// What a graph should be, without a store: attributes and relationships by the keys of the models.
private struct Expectation: Equatable {
    struct Node: Equatable {
        var kind: Kind
        var name = "new"
        var values = Values()
    }

    struct Values: Equatable {
        var founded: Int?
        var genre = Genre.rock
        var form: Form?
        var town: Town?
        var tags: [String] = []
        var isHit = false
    }

    enum Kind: String, CaseIterable { case band, album, single, track, artist }

    var nodes: [Int: Node] = [:]
    /// The band of each album, the album of each track and the author of each track.
    var bands: [Int: Int] = [:]
    var albums: [Int: Int] = [:]
    var authors: [Int: Int] = [:]
    /// The artists of each band.
    var artists: Set<[Int]> = []

    func keys(_ kinds: Kind...) -> [Int] { nodes.filter { kinds.contains($0.value.kind) }.map(\.key).sorted() }

    mutating func delete(_ key: Int) {
        guard let node = nodes.removeValue(forKey: key) else { return }
        switch node.kind {
        case .band:
            artists = artists.filter { $0[0] != key }
            for album in bands.filter({ $0.value == key }).keys { delete(album) }
        case .album, .single:
            bands[key] = nil
            for track in albums.filter({ $0.value == key }).keys { delete(track) }
        case .track:
            albums[key] = nil
            authors[key] = nil
        case .artist:
            artists = artists.filter { $0[1] != key }
            authors = authors.filter { $0.value != key }
        }
    }

    /// The graph as text, as `Side.text` makes it of models.
    var text: [String] {
        nodes.keys.sorted().map { key in
            guard let node = nodes[key] else { return "" }
            let values = node.values
            var line = "\(node.kind) \(key) \(node.name)"
            func members(_ links: [Int: Int]) -> [Int] { links.filter { $0.value == key }.keys.sorted() }
            switch node.kind {
            case .band:
                let own = artists.filter { $0[0] == key }.map { $0[1] }.sorted()
                line += " \(describe(values.founded)) \(values.genre) \(describe(values.form)) "
                line += "\(describe(values.town)) \(values.tags) \(members(bands)) \(own)"
            case .album, .single:
                line += " \(describe(values.founded)) \(describe(bands[key])) \(members(albums)) \(values.isHit)"
            case .track: line += " \(describe(albums[key])) \(describe(authors[key]))"
            case .artist:
                line += " \(artists.filter { $0[1] == key }.map { $0[0] }.sorted()) \(members(authors))"
            }
            return line
        }
    }
}

private func describe(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "-" }

/// One store with the same graph.
private final class Side {
    let name: String
    private let configuration: ModelConfiguration
    private(set) var context: ModelContext
    var models: [Int: any Keyed] = [:]

    init(_ name: String, _ configuration: ModelConfiguration) throws {
        self.name = name
        self.configuration = configuration
        context = try Self.context(configuration)
    }

    private static func context(_ configuration: ModelConfiguration) throws -> ModelContext {
        ModelContext(try ModelContainer(for: Graph.Band.self, Graph.Single.self, configurations: configuration))
    }

    /// A new container on the store; a store in memory is only there with its own.
    func reopen() throws {
        context =
            configuration.isStoredInMemoryOnly
            ? ModelContext(context.container) : try Self.context(configuration)
        try find()
    }

    func find() throws {
        models = [:]
        for model in try all(in: context) { models[model.key] = model }
    }

    private func all(in context: ModelContext) throws -> [any Keyed] {
        let groups: [[any Keyed]] = [
            try context.fetch(FetchDescriptor<Graph.Band>()), try context.fetch(FetchDescriptor<Graph.Album>()),
            try context.fetch(FetchDescriptor<Graph.Track>()), try context.fetch(FetchDescriptor<Graph.Artist>()),
        ]
        return groups.flatMap { $0 }
    }

    /// The graph as this context sees it, or another one that sees the store.
    func text(inStore: Bool = false) throws -> [String] {
        let models = try all(in: inStore ? ModelContext(context.container) : context)
        return models.sorted { $0.key < $1.key }.map(Self.line)
    }

    private static func line(_ model: any Keyed) -> String {
        func keys(_ models: [any Keyed]?) -> [Int] { (models ?? []).map(\.key).sorted() }
        let rest =
            switch model {
            case let band as Graph.Band:
                "\(describe(band.founded)) \(band.genre) \(describe(band.form)) \(describe(band.town)) "
                    + "\(band.tags) \(keys(band.albums)) \(keys(band.artists))"
            case let album as Graph.Album:
                "\(describe(album.founded)) \(describe(album.band?.key)) \(keys(album.tracks)) "
                    + "\((album as? Graph.Single)?.isHit ?? false)"
            case let track as Graph.Track: "\(describe(track.album?.key)) \(describe(track.author?.key))"
            case let artist as Graph.Artist: "\(keys(artist.bands)) \(keys(artist.written))"
            default: "unknown"
            }
        let kind = String(describing: type(of: model)).lowercased()
        return "\(kind) \(model.key) \(model.name) \(rest)"
    }

    subscript<Model>(key: Int) -> Model? { models[key] as? Model }
}

/// The same random changes of models in stores of each kind, and of what they should be.
struct GraphAgreementTests {
    static let steps =
        ProcessInfo.processInfo.environment["OPENCOREDATA_GRAPHS"].flatMap { Int($0) } ?? 3_000
    static let firstSeed =
        ProcessInfo.processInfo.environment["OPENCOREDATA_GRAPHS_SEED"].flatMap { UInt64($0) } ?? 1

    private var random: SeededGenerator
    private var expected = Expectation()
    private var saved = Expectation()
    private var sides: [Side] = []
    private var nextKey = 0
    private let folder: TemporaryFolder

    init() throws {
        random = SeededGenerator(seed: 1)
        folder = try TemporaryFolder()
    }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func pick(_ keys: [Int]) -> Int? { keys.randomElement(using: &random) }
    private mutating func pickSome(_ keys: [Int]) -> [Int] {
        let count = number(0..<4)
        return Array(keys.shuffled(using: &random).prefix(count)).sorted()
    }

    @Test(arguments: firstSeed..<(firstSeed + 3)) func storesOfAllKindsHaveTheSameGraph(seed: UInt64) throws {
        var test = self
        test.random = SeededGenerator(seed: seed)
        try test.run(Self.steps / 3, seed)
    }

    private mutating func run(_ steps: Int, _ seed: UInt64) throws {
        sides = [
            try Side("SQLite", ModelConfiguration(url: folder.file("graph-\(seed).store"))),
            try Side("memory", ModelConfiguration(isStoredInMemoryOnly: true)),
        ]
        #if PostgreSQL
        if let server = ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL"] {
            let schema = "graph_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
            let url = try #require(URL(string: "\(server)?schema=\(schema)"))
            sides.append(try Side("PostgreSQL", ModelConfiguration(url: url)))
        }
        #endif
        var changes: [String] = []
        for step in 0..<steps {
            changes.append(try change())
            // Each change, if they are few; otherwise some at a time, as reading takes longer than changing.
            guard steps < 500 || step.isMultiple(of: 4) else { continue }
            for side in sides {
                let text = try side.text()
                guard text == expected.text else {
                    let difference = text.difference(from: expected.text)
                    Issue.record("seed \(seed), step \(step), \(side.name), after \(changes): \(difference)")
                    return
                }
            }
            changes = []
        }
    }

    /// Makes one random change everywhere, and says which.
    private mutating func change() throws -> String {
        switch number(0..<100) {
        // A small graph, in which the same models meet often.
        case 0..<18: expected.nodes.count < 40 ? insert() : delete()
        case 18..<38: setAttributes()
        case 38..<64: link()
        case 64..<72: appendOrRemove()
        case 72..<82: delete()
        case 82..<94: try save()
        case 94..<97: try rollback()
        default: try reopen()
        }
    }

    private mutating func insert() -> String {
        let kind = Expectation.Kind.allCases[number(0..<5)]
        let key = nextKey
        nextKey += 1
        expected.nodes[key] = .init(kind: kind)
        // Some are joined by a model that is in a context.
        let band = kind == .album || kind == .single ? (number(0..<2) == 0 ? pick(expected.keys(.band)) : nil) : nil
        if let band { expected.bands[key] = band }
        for side in sides {
            let model: any Keyed =
                switch kind {
                case .band: Graph.Band(key: key)
                case .album: Graph.Album(key: key)
                case .single: Graph.Single(key: key)
                case .track: Graph.Track(key: key)
                case .artist: Graph.Artist(key: key)
                }
            if let band, let album = model as? Graph.Album, let owner: Graph.Band = side[band] {
                if key.isMultiple(of: 2) { album.band = owner } else { owner.albums.append(album) }
            } else {
                insert(model, side.context)
            }
            side.models[key] = model
        }
        return "insert \(kind) \(key) of \(describe(band))"
    }

    private func insert(_ model: some PersistentModel, _ context: ModelContext) { context.insert(model) }

    private mutating func setAttributes() -> String {
        guard let key = pick(expected.nodes.keys.sorted()), var node = expected.nodes[key] else { return "nothing" }
        node.name = ["", "a", "Ä\u{301}", "long " + String(repeating: "x", count: 300)][number(0..<4)]
        switch node.kind {
        case .band:
            node.values.founded = number(0..<3) == 0 ? nil : number(-5..<2000)
            node.values.genre = Genre.allCases[number(0..<3)]
            node.values.form = number(0..<3) == 0 ? nil : Form.allCases[number(0..<3)]
            node.values.town =
                number(0..<3) == 0 ? nil : Town(name: "town", size: number(0..<2) == 0 ? nil : number(0..<9))
            node.values.tags = (0..<number(0..<3)).map { "tag \($0)" }
        case .album: node.values.founded = number(0..<2) == 0 ? nil : number(0..<9)
        case .single: node.values.isHit = number(0..<2) == 0
        default: break
        }
        expected.nodes[key] = node
        for side in sides {
            side.models[key]?.name = node.name
            if let band: Graph.Band = side[key] {
                band.founded = node.values.founded
                band.genre = node.values.genre
                band.form = node.values.form
                band.town = node.values.town
                band.tags = node.values.tags
            }
            if let single: Graph.Single = side[key] { single.isHit = node.values.isHit }
            if let album: Graph.Album = side[key] { album.founded = node.values.founded }
        }
        return "attributes of \(key)"
    }

    /// Sets one end of a relationship.
    private mutating func link() -> String {
        let (bands, artists) = (expected.keys(.band), expected.keys(.artist))
        let (albums, tracks) = (expected.keys(.album, .single), expected.keys(.track))
        let isMissing = number(0..<4) == 0
        switch number(0..<7) {
        case 0:
            guard let album = pick(albums) else { break }
            let band = isMissing ? nil : pick(bands)
            expected.bands[album] = band
            for side in sides { (side[album] as Graph.Album?)?.band = band.flatMap { side[$0] } }
            return "band of \(album) = \(describe(band))"
        case 1:
            guard let track = pick(tracks) else { break }
            let album = isMissing ? nil : pick(albums)
            expected.albums[track] = album
            for side in sides { (side[track] as Graph.Track?)?.album = album.flatMap { side[$0] } }
            return "album of \(track) = \(describe(album))"
        case 2:
            guard let track = pick(tracks) else { break }
            let author = isMissing ? nil : pick(artists)
            expected.authors[track] = author
            for side in sides { (side[track] as Graph.Track?)?.author = author.flatMap { side[$0] } }
            return "author of \(track) = \(describe(author))"
        case 3:
            guard let band = pick(bands) else { break }
            let own = pickSome(albums)
            expected.bands = expected.bands.filter { $0.value != band }
            for album in own { expected.bands[album] = band }
            for side in sides { (side[band] as Graph.Band?)?.albums = own.compactMap { side[$0] } }
            return "albums of \(band) = \(own)"
        case 4:
            guard let album = pick(albums) else { break }
            let own = pickSome(tracks)
            expected.albums = expected.albums.filter { $0.value != album }
            for track in own { expected.albums[track] = album }
            for side in sides {
                (side[album] as Graph.Album?)?.tracks = isMissing && own.isEmpty ? nil : own.compactMap { side[$0] }
            }
            return "tracks of \(album) = \(own)"
        case 5:
            guard let band = pick(bands) else { break }
            let own = pickSome(artists)
            expected.artists = expected.artists.filter { $0[0] != band }.union(own.map { [band, $0] })
            for side in sides { (side[band] as Graph.Band?)?.artists = own.compactMap { side[$0] } }
            return "artists of \(band) = \(own)"
        default:
            guard let artist = pick(artists) else { break }
            let own = pickSome(bands)
            expected.artists = expected.artists.filter { $0[1] != artist }.union(own.map { [$0, artist] })
            for side in sides { (side[artist] as Graph.Artist?)?.bands = own.compactMap { side[$0] } }
            return "bands of \(artist) = \(own)"
        }
        return "nothing"
    }

    /// Changes an array in place.
    private mutating func appendOrRemove() -> String {
        guard let band = pick(expected.keys(.band)), let artist = pick(expected.keys(.artist)) else {
            return "nothing"
        }
        let isMember = expected.artists.contains([band, artist])
        if isMember { expected.artists.remove([band, artist]) } else { expected.artists.insert([band, artist]) }
        for side in sides {
            guard let owner: Graph.Band = side[band], let member: Graph.Artist = side[artist] else { continue }
            if isMember { owner.artists.removeAll { $0 === member } } else { owner.artists.append(member) }
        }
        return "\(isMember ? "remove" : "append") artist \(artist) of \(band)"
    }

    private mutating func delete() -> String {
        guard let key = pick(expected.nodes.keys.sorted()) else { return "nothing" }
        expected.delete(key)
        for side in sides {
            if let model = side.models[key] { delete(model, side.context) }
            side.context.processPendingChanges()
            side.models = side.models.filter { expected.nodes[$0.key] != nil }
        }
        return "delete \(key)"
    }

    private func delete(_ model: some PersistentModel, _ context: ModelContext) { context.delete(model) }

    private mutating func save() throws -> String {
        saved = expected
        for side in sides {
            try side.context.save()
            #expect(try side.text(inStore: true) == saved.text, "\(side.name)")
            #expect(!side.context.hasChanges, "\(side.name)")
        }
        return "save"
    }

    private mutating func rollback() throws -> String {
        let before = expected
        expected = saved
        for side in sides {
            let held = side.models
            side.context.rollback()
            try side.find()
            // A row is the same model as before.
            for (key, model) in side.models where before.nodes[key] != nil {
                #expect(held[key] === model, "\(side.name): \(key)")
            }
            for (key, model) in held where saved.nodes[key] == nil {
                #expect(model.modelContext == nil && model.name == before.nodes[key]?.name, "\(side.name): \(key)")
            }
        }
        return "rollback"
    }

    /// Drops what wasn't saved, and goes on with another container.
    private mutating func reopen() throws -> String {
        expected = saved
        for side in sides { try side.reopen() }
        return "reopen"
    }
}
#endif
