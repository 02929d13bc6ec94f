#if PORTABLE || !os(Linux) && !os(Android) && !canImport(Darwin)
import Dispatch
import Foundation

/// A system whose file events are not used here: the watch looks once a second.
enum FileEvents {
    static func sources(
        for url: URL, queue: DispatchQueue, handler: @escaping @Sendable () -> Void
    ) -> [any DispatchSourceProtocol] { [] }
}
#endif
