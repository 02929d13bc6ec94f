public import CoreDataPlatform
import Foundation

/// The objects of one class in one event of a context.
///
/// The objects belong to the context. Use them on its queue.
public struct EntityChanges<T: NSManagedObject> {
    /// Inserted objects.
    public var inserted: Set<T>
    /// Changed objects.
    public var updated: Set<T>
    /// Deleted objects. After a save they have no rows, and only their `objectID` can be read.
    public var deleted: Set<T>

    /// Whether there are no changes.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// The identifiers of all objects.
    public var objectIDs: Set<NSManagedObjectID> {
        Set((Array(inserted) + Array(updated) + Array(deleted)).map(\.objectID))
    }

    /// Takes the objects of a class out of what a context announced.
    ///
    /// - Parameters:
    ///   - changes: What was announced.
    ///   - includesSubentities: Whether objects of subentities count; otherwise only those of `entity` do.
    ///   - entity: The entity of the class.
    ///   - predicate: What objects have to match at this moment. One that matches no longer is not reported. With full text
    ///     search, which only the server can evaluate, all objects are.
    package init(
        _ changes: ContextWatch.Changes, entity: NSEntityDescription? = nil, includesSubentities: Bool = true,
        where predicate: NSPredicate? = nil
    ) {
        let predicate = predicate?.searchesText == true ? nil : predicate
        func wanted(_ objects: Set<NSManagedObject>) -> Set<T> {
            var result: Set<T> = []
            for object in objects {
                guard let typed = object as? T else { continue }
                if let entity, !Self.is(typed, entity, includesSubentities) { continue }
                if let predicate, !predicate.evaluate(with: typed) { continue }
                result.insert(typed)
            }
            return result
        }
        inserted = wanted(changes.inserted)
        updated = wanted(changes.updated.union(changes.refreshed)).subtracting(inserted)
        deleted = wanted(changes.deleted)
    }

    private static func `is`(_ object: T, _ entity: NSEntityDescription, _ includesSubentities: Bool) -> Bool {
        includesSubentities ? object.entity.isKindOf(entity: entity) : object.entity.name == entity.name
    }
}

/// When changes are reported.
public enum Moment: Hashable, Sendable {
    /// As soon as the context announces them, saved or not, including merged changes.
    case changed
    /// When the context has saved them.
    case saved
}

extension NSManagedObjectContext {
    /// The changes to objects of a class in this context, event by event.
    ///
    /// Call this on the context's queue. The stream's elements hold objects of the context: read it on the main
    /// actor if the context is a main-queue context, and otherwise use their `objectID`s, or the objects inside of
    /// `perform`. The stream ends when the context goes. It does not keep the context.
    ///
    /// - Parameters:
    ///   - type: The class. Objects of subclasses count.
    ///   - predicate: What objects have to match when the change is reported. An object that has stopped matching is
    ///     not reported of, neither as updated nor as deleted. If it has full text search, which only a server can evaluate,
    ///     all objects of the class are reported.
    ///   - moment: When to report them.
    /// - Returns: A stream of what happens from now on. Events that concern no such object are left out.
    public func changes<T: NSManagedObject>(
        of type: T.Type = T.self, where predicate: NSPredicate? = nil, when moment: Moment = .changed
    ) -> AsyncStream<EntityChanges<T>> {
        let broadcast = Broadcast<EntityChanges<T>>()
        let stream = broadcast.stream()
        let token = watch(
            of: type, where: predicate, when: moment, end: { broadcast.finish() }, handle: { broadcast.send($0) })
        broadcast.keepUntilIdle(token)
        return stream
    }

    /// Is notified of changes to objects of a class at the moment in which the context announces them, on its queue.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - entity: Whose objects count; all of the class if left out.
    ///   - includesSubentities: Whether objects of subentities of `entity` count.
    ///   - predicate: What objects have to match at this moment.
    ///   - moment: When to report them.
    ///   - end: Called when the context goes.
    ///   - handle: Called with changes that are not empty.
    /// - Returns: What ends hearing, to be kept.
    package func watch<T: NSManagedObject>(
        of type: T.Type = T.self, entity: NSEntityDescription? = nil, includesSubentities: Bool = true,
        where predicate: NSPredicate? = nil, when moment: Moment, end: @escaping () -> Void = {},
        handle: @escaping (EntityChanges<T>) -> Void
    ) -> ContextWatch.Token {
        ContextWatch.of(self).add(
            { event in
                let announced: ContextWatch.Changes
                switch (event, moment) {
                case (.changed(let changes), .changed), (.saved(let changes), .saved): announced = changes
                default: return
                }
                let changes = EntityChanges<T>(
                    announced, entity: entity, includesSubentities: includesSubentities, where: predicate)
                if !changes.isEmpty { handle(changes) }
            }, end: end)
    }
}
