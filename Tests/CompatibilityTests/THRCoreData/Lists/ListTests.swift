import THRCoreData
import TestSupport
import Testing

/// A cell of a song.
@MainActor final class SongCell: CellIdentifierType {
    var text = ""
    /// How often it was filled.
    var fillings = 0
}

/// A screen with a table of songs, section by section of their genre.
@MainActor final class SongScreen: DataProviderDelegate, DataSourceDelegate {
    typealias Provider = FetchedResultsDataProvider<SongScreen>

    let table = HeadlessTable()
    /// Each call of the provider.
    private(set) var updates: [[DataProviderUpdate<Song>]?] = []
    /// The list as it is by the updates alone.
    private(set) var mirror: [[String]] = []
    var provider: Provider!
    private var show: (([DataProviderUpdate<Song>]?) -> Void)?
    var hasEmptyView = false
    let placeholder = NSObject()

    static let order = ["genre", "rank", "uniqueID"].map { NSSortDescriptor(key: $0, ascending: true) }

    init(_ context: NSManagedObjectContext, cacheName: String? = nil) {
        table.register(SongCell.cellIdentifier) { SongCell() }
        let request = Song.fetchRequest { $0.sortDescriptors = SongScreen.order }
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "genre", cacheName: cacheName)
        provider = Provider(fetchedResultsController: controller, delegate: self)
        mirror = wanted
    }

    func showTable() -> TableViewDataSource<SongScreen, Provider> {
        let source = TableViewDataSource(tableView: table, dataProvider: provider, delegate: self)
        show = { [weak source] in source?.processUpdates(updates: $0) }
        return source
    }

    func showCollection() -> CollectionViewDataSource<SongScreen, Provider> {
        let source = CollectionViewDataSource(collectionView: table, dataProvider: provider, delegate: self)
        show = { [weak source] in source?.processUpdates(updates: $0) }
        return source
    }

    /// What the table shows.
    var texts: [[String]] { table.cells(SongCell.self).map { $0.map(\.text) } }
    /// What it has to show.
    var wanted: [[String]] {
        (0..<provider.numberOfSections).map { section in
            (0..<provider.numberOfItems(in: section)).map {
                Self.text(provider.object(at: IndexPath(row: $0, section: section)))
            }
        }
    }

    static func text(_ song: Song) -> String { "\(song.genre ?? "-") \(song.rank) \(song.uniqueIDValue) \(song.title)" }

    func forgetUpdates() { updates = [] }

    // MARK: Delegate

    func dataProviderDidUpdate(updates: [DataProviderUpdate<Song>]?) {
        self.updates.append(updates)
        if let updates { follow(updates) } else { mirror = wanted }
        show?(updates)
    }

    func cellIdentifier(forObject object: Song) -> String { SongCell.cellIdentifier }

    func configure(cell: SongCell, forObject object: Song) {
        cell.text = Self.text(object)
        cell.fillings += 1
    }

    func emptyView() -> DataSourceEmptyView? { hasEmptyView ? placeholder : nil }

    /// Carries out the steps by their rules: what goes counts in the old list, what comes in the new one.
    private func follow(_ updates: [DataProviderUpdate<Song>]) {
        var (gone, come): ([IndexPath], [IndexPath]) = ([], [])
        var (goneSections, comeSections): ([Int], [Int]) = ([], [])
        for update in updates {
            switch update {
            case .update(let path, let song): mirror[path.section][path.row] = Self.text(song)
            case .delete(let path): gone.append(path)
            case .insert(let path): come.append(path)
            case .move(let old, let new):
                gone.append(old)
                come.append(new)
            case .deleteSection(let section): goneSections.append(section)
            case .insertSection(let section): comeSections.append(section)
            }
        }
        for path in gone.sorted(by: >) { mirror[path.section].remove(at: path.row) }
        for section in goneSections.sorted(by: >) { mirror.remove(at: section) }
        for section in comeSections.sorted() { mirror.insert([], at: section) }
        for path in come.sorted() {
            mirror[path.section].insert(Self.text(provider.object(at: path)), at: path.row)
        }
    }
}

/// A random but repeatable sequence.
struct Dice {
    var state: UInt64

    mutating func roll(_ sides: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % sides
    }
}

/// Changes that lists have to follow.
@MainActor struct RandomSongs {
    let context: NSManagedObjectContext
    var dice: Dice
    var next = 0

    static let genres = ["Blues", "Jazz", "Polka", "Rock", "Waltz"]

    mutating func change() {
        let songs = Song.fetch(inContext: context) { $0.sortDescriptors = Song.defaultSortDescriptors }
        for _ in 0...dice.roll(3) {
            let chosen = songs.isEmpty ? nil : songs[dice.roll(songs.count)]
            switch (dice.roll(5), chosen) {
            case (0, let song?) where !song.isDeleted: context.delete(song)
            case (1, let song?) where !song.isDeleted: song.title = "T\(dice.roll(100))"
            case (2, let song?) where !song.isDeleted: song.genre = Self.genres[dice.roll(Self.genres.count)]
            case (3, let song?) where !song.isDeleted: song.rank = Int32(dice.roll(100))
            default:
                let (genre, rank) = (Self.genres[dice.roll(Self.genres.count)], Int32(dice.roll(100)))
                Song.insertObject(withUniqueKeyValue: String(format: "%05d", next), inContext: context) { song in
                    song.genre = genre
                    song.rank = rank
                }
                next += 1
            }
        }
        context.processPendingChanges()
    }
}
