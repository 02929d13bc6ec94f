import Foundation

/// The largest resident size that this process has had.
enum PeakMemory {
    /// In bytes, or nil where the system does not tell.
    static var bytes: Int? {
        #if os(Linux)
        return status("VmHWM:")
        #else
        var usage = rusage()
        return getrusage(RUSAGE_SELF, &usage) == 0 ? Int(usage.ru_maxrss) : nil
        #endif
    }

    /// What the process holds now other than pages of files, which the system takes back when it needs them; the peak
    /// where the system does not tell. An allocator gives little back, so that this is close to the largest it was.
    static var heldBytes: Int? {
        #if os(Linux)
        return status("RssAnon:")
        #else
        return bytes
        #endif
    }

    #if os(Linux)
    private static func status(_ name: String) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
        let fields = line.split { $0 == " " || $0 == "\t" }
        return fields.lazy.compactMap { Int($0) }.first.map { $0 * 1024 }
    }
    #endif
}
