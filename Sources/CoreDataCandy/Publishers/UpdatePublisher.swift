#if Publishers
public import OpenCoreDataKit

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension DatabaseModel {
    /// The models of the results of a fetch: those of now at once, then again after each change of the results.
    ///
    /// The subscription holds a fetched results controller. It delivers on the context's queue and never fails.
    ///
    /// - Parameters:
    ///   - sort: How to order the results.
    ///   - more: What decides where the first sort finds no difference.
    ///   - request: What to fetch; all objects if left out.
    ///   - context: Where to fetch; the default context, ``Fetchable/context``, if left out. Without either a debug
    ///     build stops with an explanation, and a release build publishes one empty array.
    public static func updatePublisher(
        sortedBy sort: Sort<Entity>, _ more: Sort<Entity>..., for request: NSFetchRequest<Entity>? = nil,
        in context: NSManagedObjectContext? = nil
    ) -> AnyPublisher<[Self], Never> {
        updatePublisher(sortedBy: [sort] + more, for: request, in: context)
    }

    /// The models of the results of a fetch; `updatePublisher(sortedBy:)` in other words.
    ///
    /// For code that was written for earlier versions of the library.
    ///
    /// - Parameters:
    ///   - sort: How to order the results.
    ///   - more: What decides where the first sort finds no difference.
    ///   - request: What to fetch; all objects if left out.
    ///   - context: Where to fetch; the default context, ``Fetchable/context``, if left out.
    /// - Returns: The publisher, which never fails.
    public static func updatePublisher(
        sortingBy sort: Sort<Entity>, _ more: Sort<Entity>..., for request: NSFetchRequest<Entity>? = nil,
        in context: NSManagedObjectContext? = nil
    ) -> AnyPublisher<[Self], Never> {
        updatePublisher(sortedBy: [sort] + more, for: request, in: context)
    }

    /// The models of the results of a fetch; `updatePublisher(sortedBy:)` in other words.
    ///
    /// An empty list of sorts is an error of the program.
    ///
    /// - Parameters:
    ///   - sorts: How to order the results; at least one.
    ///   - request: What to fetch; all objects if left out.
    ///   - context: Where to fetch; the default context, ``Fetchable/context``, if left out.
    /// - Returns: The publisher, which never fails.
    public static func updatePublisher(
        sortingBy sorts: [Sort<Entity>], for request: NSFetchRequest<Entity>? = nil,
        in context: NSManagedObjectContext? = nil
    ) -> AnyPublisher<[Self], Never> {
        updatePublisher(sortedBy: sorts, for: request, in: context)
    }

    /// The models of the results of a fetch.
    ///
    /// An empty list of sorts is an error of the program. A fetch that fails stops a debug build; a release build
    /// publishes an empty array.
    ///
    /// - Parameters:
    ///   - sorts: How to order the results; at least one.
    ///   - request: What to fetch; everything if omitted.
    ///   - context: Where to fetch it.
    /// - Returns: The publisher, which never fails.
    public static func updatePublisher(
        sortedBy sorts: [Sort<Entity>], for request: NSFetchRequest<Entity>? = nil,
        in context: NSManagedObjectContext? = nil
    ) -> AnyPublisher<[Self], Never> {
        guard let controller = updateResultsController(sortedBy: sorts, for: request, in: context) else {
            return Just([]).eraseToAnyPublisher()
        }
        let publisher = ContextPublisher<[Self]>(context: controller.managedObjectContext) {
            ResultsFeed<Self>(like: controller).publisher
        }
        return publisher.eraseToAnyPublisher()
    }
}

/// The results of one subscription.
private final class ResultsFeed<Model: DatabaseModel>: NSObject, NSFetchedResultsControllerDelegate {
    private let controller: NSFetchedResultsController<Model.Entity>
    private let subject: CurrentValueSubject<[Model], Never>

    /// Fetches with a controller of its own, so that each subscription has one.
    init(like original: NSFetchedResultsController<Model.Entity>) {
        controller = NSFetchedResultsController(
            fetchRequest: original.fetchRequest, managedObjectContext: original.managedObjectContext,
            sectionNameKeyPath: nil, cacheName: nil)
        subject = CurrentValueSubject([])
        super.init()
        controller.delegate = self
        do {
            try controller.performFetch()
        } catch {
            assertionFailure("The updating results of \(Model.self) can't be fetched: \(error)")
        }
        subject.value = models
    }

    private var models: [Model] { (controller.fetchedObjects ?? []).map(Model.init) }

    /// What is published; it keeps the feed until it is cancelled.
    var publisher: AnyPublisher<[Model], Never> {
        subject.handleEvents(receiveCancel: { self.controller.delegate = nil }).eraseToAnyPublisher()
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        subject.send(models)
    }
}
#endif
