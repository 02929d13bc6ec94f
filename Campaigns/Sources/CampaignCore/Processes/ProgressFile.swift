import Foundation
import Glibc
import Synchronization

/// A few numbers that a process which runs cases shares with the one that watches it; they outlive a process that dies.
// @unchecked Sendable because the memory holds atomics only and stays mapped until deinit.
final class ProgressFile: @unchecked Sendable {
    private static let words = 8
    private let words: UnsafeMutablePointer<Atomic<UInt64>>

    private enum Word: Int { case current, finished, isRunning, isStopping }

    init(_ url: URL) throws {
        let size = Self.words * MemoryLayout<UInt64>.stride
        let file = open(url.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw CampaignFailure("The progress file cannot be opened", url.path) }
        defer { close(file) }
        guard ftruncate(file, size) == 0,
            let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
        else { throw CampaignFailure("The progress file cannot be mapped", url.path) }
        words = memory.bindMemory(to: Atomic<UInt64>.self, capacity: Self.words)
    }

    deinit { munmap(words, Self.words * MemoryLayout<UInt64>.stride) }

    private func load(_ word: Word) -> UInt64 { words[word.rawValue].load(ordering: .sequentiallyConsistent) }

    private func store(_ word: Word, _ value: UInt64) {
        words[word.rawValue].store(value, ordering: .sequentiallyConsistent)
    }

    /// The case that is running, or was when the process died.
    var current: Int { Int(load(.current)) }
    /// How many cases are done.
    var finished: Int { Int(load(.finished)) }
    /// Whether a case runs, or ran when the process died.
    var isRunningCase: Bool { load(.isRunning) != 0 }
    /// Whether the process shall end after its case.
    var isStopping: Bool { load(.isStopping) != 0 }

    func begin(_ index: Int) {
        store(.current, UInt64(index))
        store(.isRunning, 1)
    }

    func end() {
        store(.finished, load(.finished) + 1)
        store(.isRunning, 0)
    }

    func stop() { store(.isStopping, 1) }
}
