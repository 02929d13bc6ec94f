#if Publishers
#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension NSManagedObject: ObservableObject {
    /// A publisher that sends before a property of the object changes, and before the object is refreshed or takes
    /// what another context saved. It sends on the queue of the context, on which alone it may be asked for.
    public final var objectWillChange: ObservableObjectPublisher {
        let extras = ensureExtras()
        if let publisher = extras.changePublisher { return publisher }
        let publisher = ObservableObjectPublisher()
        extras.changePublisher = publisher
        return publisher
    }
}
#endif

extension NSManagedObject {
    /// Notifies the object's publisher and its observer, if there are any, that the object is about to change.
    ///
    /// - Parameter property: The name of the property that changes, or `nil` if any may.
    @inline(__always)
    final func announceChange(_ property: @autoclosure () -> String? = nil) {
        guard let extras else { return }
        if let observer = extras.changeObserver { observer.objectWillChange(property()) }
        #if Publishers
        if let publisher = extras.changePublisher, !extras.hasAnnouncedChange { publisher.send() }
        #endif
    }

    /// Makes a change that `willChangeValue(forKey:)` has announced.
    final func withoutAnnouncing<Result>(_ body: () -> Result) -> Result {
        #if Publishers
        guard let extras, extras.changePublisher != nil else { return body() }
        let was = extras.hasAnnouncedChange
        extras.hasAnnouncedChange = true
        defer { extras.hasAnnouncedChange = was }
        #endif
        return body()
    }
}
