#if !PORTABLE && (os(Linux) || os(Android))
import Dispatch
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// File events of Linux: inotify.
enum FileEvents {
    /// A source that is not active yet; none when the system refuses the watch.
    static func sources(
        for url: URL, queue: DispatchQueue, handler: @escaping @Sendable () -> Void
    ) -> [any DispatchSourceProtocol] {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return [] }
        let written = UInt32(IN_MODIFY)
        let log = url.path + "-wal"
        var isWatched = inotify_add_watch(descriptor, url.path, written) >= 0
        if inotify_add_watch(descriptor, log, written) < 0 {
            // The log comes with the first writer.
            let folder = url.deletingLastPathComponent().path
            isWatched = inotify_add_watch(descriptor, folder, written | UInt32(IN_CREATE)) >= 0 || isWatched
        }
        guard isWatched else {
            close(descriptor)
            return []
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            drain(descriptor)
            handler()
        }
        source.setCancelHandler { close(descriptor) }
        return [source]
    }

    /// Takes all waiting events; what they say does not matter.
    private static func drain(_ descriptor: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
}
#endif
