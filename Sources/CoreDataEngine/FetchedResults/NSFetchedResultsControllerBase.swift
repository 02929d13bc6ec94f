public import Foundation

/// What fetched results controllers have in common, whatever the type of their results.
///
/// The class exists because generic classes are not erased outside Objective-C: by it a controller is known as the same
/// one that its delegate gets. Applications use ``NSFetchedResultsController``.
open class NSFetchedResultsControllerBase: NSObject {
    final let core: FetchedResultsCore

    init(_ core: FetchedResultsCore) { self.core = core }

    /// Whether the other controller is this one, or presents it to a delegate.
    ///
    /// A delegate gets its controller with results of the type `NSFetchRequestResult`, which may be another object than
    /// the program's; the two are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSFetchedResultsControllerBase)?.core === core
    }

    open override var hash: Int { ObjectIdentifier(core).hashValue }
}

/// Whether two controllers are the same, the one that a delegate gets included.
///
/// Use it in a delegate of several controllers: the controller that it gets may be another object than the program's.
///
/// - Parameters:
///   - left: A controller.
///   - right: Another controller.
public func === (left: NSFetchedResultsControllerBase?, right: NSFetchedResultsControllerBase?) -> Bool {
    left?.core === right?.core
}

/// Whether two controllers are different. A controller and what its delegate gets of it are the same.
///
/// Use it in a delegate of several controllers: the controller that it gets may be another object than the program's.
///
/// - Parameters:
///   - left: A controller.
///   - right: Another controller.
public func !== (left: NSFetchedResultsControllerBase?, right: NSFetchedResultsControllerBase?) -> Bool {
    left?.core !== right?.core
}
