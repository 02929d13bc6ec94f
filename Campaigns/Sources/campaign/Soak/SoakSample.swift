import Foundation
import Glibc
import OpenCoreData
import ProcessShims

/// What a process holds at one moment.
struct SoakSample {
    var seconds: Double
    /// Bytes of memory that are not given back to the system.
    var memory: Int
    /// Bytes of memory that the program has allocated and not freed. The rest of `memory` is code, mapped files, and what
    /// the C library keeps for later.
    var allocated: Int
    /// Bytes of the write-ahead log.
    var log: Int
    /// Bytes of the store's file.
    var store: Int
    /// Open file handles.
    var handles: Int
    var threads: Int
    /// What was done since the beginning.
    var operations: Int

    static func take(_ file: URL, since start: Date, operations: Int) -> SoakSample {
        SoakSample(
            seconds: Date.now.timeIntervalSince(start), memory: memoryInUse(), allocated: process_allocated(),
            log: size(file.path + "-wal"), store: size(file.path), handles: entries("/proc/self/fd"),
            threads: entries("/proc/self/task"), operations: operations)
    }

    private static func memoryInUse() -> Int {
        let string = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = string.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func size(_ path: String) -> Int {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.intValue ?? 0
    }

    private static func entries(_ path: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.count ?? 0
    }

    static let header = "seconds\tmemory\tallocated\tlog\tstore\thandles\tthreads\toperations"

    var line: String {
        "\(Int(seconds))\t\(memory)\t\(allocated)\t\(log)\t\(store)\t\(handles)\t\(threads)\t\(operations)"
    }
}
