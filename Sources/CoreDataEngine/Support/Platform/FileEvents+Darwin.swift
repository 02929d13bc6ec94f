#if !PORTABLE && canImport(Darwin)
import Darwin
import Dispatch
import Foundation

/// File events of Apple's systems: kqueue.
enum FileEvents {
    /// Sources that are not active yet; none when the file or its log can't be watched.
    static func sources(
        for url: URL, queue: DispatchQueue, handler: @escaping @Sendable () -> Void
    ) -> [any DispatchSourceProtocol] {
        let descriptors = [url.path, url.path + "-wal"].map { open($0, O_EVTONLY | O_CLOEXEC) }
        guard descriptors.allSatisfy({ $0 >= 0 }) else {
            for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
            return []
        }
        return descriptors.map { descriptor in
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor, eventMask: [.write, .extend], queue: queue)
            source.setEventHandler(handler: handler)
            source.setCancelHandler { close(descriptor) }
            return source
        }
    }
}
#endif
