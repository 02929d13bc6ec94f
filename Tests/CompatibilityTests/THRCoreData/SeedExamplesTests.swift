// The code blocks of the library's own document, in its order and its spelling, with these edits: there is no
// `@UIApplicationMain`; protocols that are types have their `any`, which this project asks for. Off Apple's platforms the
// classes of UIKit that the blocks name are those below, and a table is one without a screen. `YourManagedObject` is a song.
#if !canImport(UIKit)
import TestSupport
import Testing
import THRCoreData

// MARK: What the blocks assume

typealias YourManagedObject = Song
typealias UITableView = HeadlessTable

@MainActor class UIResponder {}
@MainActor protocol UIApplicationDelegate: AnyObject {}
@MainActor final class UIApplication {}
struct UIApplicationLaunchOptionsKey: Hashable {}

@MainActor class UIWindow {
    var rootViewController: UIViewController?
}

@MainActor class UIViewController: UIResponder {
    func prepare(for segue: UIStoryboardSegue, sender: Any?) {}
}

@MainActor final class UINavigationController: UIViewController {
    var topViewController: UIViewController?
}

@MainActor struct UIStoryboardSegue {
    let destination: UIViewController
}

@MainActor final class YourTableViewCell {
    var label = ""
}

// MARK: PersistentContainer

class AppDelegate: UIResponder, UIApplicationDelegate, CoreDataManagerSettable {

    var window: UIWindow?
    var coreDataManager: CoreDataManager!

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]?
    ) -> Bool {

        // Setup core data manager / sync manager

        coreDataManager = CoreDataManager(modelName: "MODEL_NAME")

        // Pass core data manager to initial view controller

        guard let viewController = window?.rootViewController as? any CoreDataManagerSettable else {
            fatalError("Wrong initial view controller type")
        }

        viewController.coreDataManager = coreDataManager

        return true
    }
}

// MARK: CoreDataManagerSettable

class FirstViewController: UIViewController, CoreDataManagerSettable {
    var coreDataManager: CoreDataManager!

    override func prepare(for segue: UIStoryboardSegue, sender: Any?) {

        if let controller = segue.destination as? any CoreDataManagerSettable {
            controller.coreDataManager = coreDataManager
        }

        if let navController = segue.destination as? UINavigationController,
            let controller = navController.topViewController as? any CoreDataManagerSettable
        {
            controller.coreDataManager = coreDataManager
        }
    }
}

// MARK: DataSource and Delegate

class YourTableViewController: UIViewController, CoreDataManagerSettable {
    fileprivate typealias DataProvider = FetchedResultsDataProvider<YourTableViewController>

    fileprivate var dataProvider: DataProvider!
    fileprivate var dataSource: TableViewDataSource<YourTableViewController, DataProvider>!

    var coreDataManager: CoreDataManager!
    let tableView = UITableView()

    func viewDidLoad() {
        tableView.register("yourCellIdentifier") { YourTableViewCell() }
        setupTableView()
    }

    fileprivate func setupTableView() {

        // You can configure a different fetch request here if needed

        let frc = NSFetchedResultsController(
            fetchRequest: YourManagedObject.sortedFetchRequest, managedObjectContext: managedObjectContext,
            sectionNameKeyPath: nil, cacheName: nil)
        dataProvider = FetchedResultsDataProvider(fetchedResultsController: frc, delegate: self)
        dataSource = TableViewDataSource(tableView: tableView, dataProvider: dataProvider, delegate: self)
    }
}

extension YourTableViewController: DataProviderDelegate {

    func dataProviderDidUpdate(updates: [DataProviderUpdate<YourManagedObject>]?) {
        dataSource?.processUpdates(updates: updates)
    }
}

extension YourTableViewController: DataSourceDelegate {

    func cellIdentifier(forObject object: YourManagedObject) -> String {
        return "yourCellIdentifier"
    }

    func configure(cell: YourTableViewCell, forObject object: YourManagedObject) {

        // Configure your cell here instead of cellForRowAtIndexPath
        cell.label = object.title
    }
}

// MARK: -

@MainActor struct SeedExamplesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // Feature THR-1, THR-12
    @Test func aDelegateMakesTheManagerAndHandsItOn() {
        let (delegate, window, first) = (AppDelegate(), UIWindow(), FirstViewController())
        window.rootViewController = first
        delegate.window = window
        #expect(delegate.application(UIApplication(), didFinishLaunchingWithOptions: nil))
        #expect(first.coreDataManager === delegate.coreDataManager)
        #expect(first.coreDataManager.storeType == .sqlite(CoreDataManager.defaultDirectoryURL))

        let (table, navigation, plain) = (YourTableViewController(), UINavigationController(), UIViewController())
        first.prepare(for: UIStoryboardSegue(destination: plain), sender: nil)
        navigation.topViewController = table
        first.prepare(for: UIStoryboardSegue(destination: navigation), sender: nil)
        #expect(table.coreDataManager === first.coreDataManager)
        let other = YourTableViewController()
        first.prepare(for: UIStoryboardSegue(destination: other), sender: nil)
        #expect(other.coreDataManager === first.coreDataManager)
    }

    /// The manager with its two additional properties.
    private func manager(_ kind: StoreKind) throws -> PersistentContainer {
        let (storeType, bundle) = (Studio.storeType(kind, folder), try Studio.bundle(in: folder))
        return CoreDataManager(modelName: "Music", storeType: storeType, bundle: bundle)
    }

    // Feature THR-5, THR-6, THR-7, THR-11
    @Test(arguments: StoreKind.usual) func mainContextAndBackgroundContext(_ kind: StoreKind) async throws {
        let coreDataManager = try manager(kind)
        let background = coreDataManager.backgroundContext
        let saved = Flag()
        Song.insertObject(inContext: coreDataManager.mainContext)
        coreDataManager.saveMainContext { _ in saved.set() }
        await saved.wait()
        await background.perform {
            for song in Song.fetch(inContext: background) { song.title = "Seen" }
        }
        let merged = Flag()
        coreDataManager.saveBackgroundContext { _ in merged.set() }
        await merged.wait()
        #expect(Song.fetch(inContext: coreDataManager.mainContext).map(\.title) == ["Seen"])
    }

    // Feature THR-8, THR-9
    @Test(arguments: StoreKind.usual) func childContexts(_ kind: StoreKind) async throws {
        let coreDataManager = try manager(kind)
        let child = coreDataManager.createChildContext(
            withConcurrencyType: .MainQueueConcurrencyType,
            mergePolicyType: .mergeByPropertyObjectTrumpMergePolicyType)
        Song.insertObject(inContext: child)
        let done = Flag()
        save(context: child) { result in
            if case .success(.saved) = result { done.set() }
        }
        await done.wait()
        #expect(Song.count(inContext: coreDataManager.mainContext) == 1)
    }

    // Feature THR-15, THR-17, THR-19, THR-20, THR-21, THR-22
    @Test(arguments: StoreKind.usual) func managedObjectType(_ kind: StoreKind) async throws {
        let coreDataManager = try manager(kind)
        let context = coreDataManager.mainContext
        YourManagedObject.insertObject(withUniqueKeyValue: "1", inContext: context) { $0.title = "One" }
        let inserted = YourManagedObject.insertObject(withUniqueKeyValue: "2", inContext: context)
        #expect(YourManagedObject.fetchObject(withUniqueKeyValue: "2", inContext: context) === inserted)
        #expect(YourManagedObject.fetch(inContext: context).count == 2)
        let configured = YourManagedObject.fetch(inContext: context) { fetchRequest in
            fetchRequest.predicate = NSPredicate(format: "title == %@", "One")
        }
        #expect(configured.map(\.uniqueIDValue) == ["1"])
        YourManagedObject.fetchOrInsertObject(withUniqueKeyValue: "3", inContext: context) { $0.title = "Three" }
        #expect(YourManagedObject.count(inContext: context) == 3)
        YourManagedObject.delete(inContext: context, matchingPredicate: NSPredicate(format: "uniqueID == '3'"))
        #expect(
            YourManagedObject.count(
                inContext: context, matchingPredicate: NSPredicate(format: "title == %@", "One")) == 1)
        YourManagedObject.delete(inContext: context)
        #expect(YourManagedObject.count(inContext: context) == 0)
    }

    /// A subclass as the text wants it.
    // @unchecked Sendable as the class above: nothing is added.
    final class Import: CoreDataOperation, @unchecked Sendable {
        override func performWork(inContext context: NSManagedObjectContext) {
            YourManagedObject.insertObject(withUniqueKeyValue: "1", inContext: context)
            finish()
        }
    }

    // Feature THR-24, THR-25, THR-26
    @Test(arguments: StoreKind.usual) func coreDataOperation(_ kind: StoreKind) async throws {
        let coreDataManager = try manager(kind)
        let operation = Import(coreDataManager: coreDataManager)
        let done = Flag()
        operation.completionBlock = { done.set() }
        let queue = OperationQueue()
        queue.addOperation(operation)
        await done.wait()
        #expect(try operation.operationResult?.get() == .saved)
        #expect(YourManagedObject.count(inContext: coreDataManager.mainContext) == 1)
    }

    // Feature THR-28, THR-29, THR-31, THR-32
    @Test(arguments: StoreKind.usual) func dataSourceAndDelegate(_ kind: StoreKind) async throws {
        let controller = YourTableViewController()
        controller.coreDataManager = try manager(kind)
        let background = controller.coreDataManager.backgroundContext
        controller.viewDidLoad()
        func labels() -> [[String]] { controller.tableView.cells(YourTableViewCell.self).map { $0.map(\.label) } }
        #expect(labels() == [[]])
        await background.perform {
            for key in ["2", "1"] {
                YourManagedObject.insertObject(withUniqueKeyValue: key, inContext: background) {
                    $0.title = "T\(key)"
                }
            }
        }
        let done = Flag()
        save(context: background) { _ in done.set() }
        await done.wait()
        #expect(labels() == [["T1", "T2"]])
        YourManagedObject.fetchObject(withUniqueKeyValue: "1", inContext: controller.managedObjectContext)?.title =
            "New"
        controller.managedObjectContext.processPendingChanges()
        #expect(labels() == [["New", "T2"]])
        YourManagedObject.delete(inContext: controller.managedObjectContext)
        controller.managedObjectContext.processPendingChanges()
        #expect(labels() == [[]] && controller.tableView.surface.violations.isEmpty)
    }
}
#endif
