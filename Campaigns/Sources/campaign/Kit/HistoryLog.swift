import CampaignCore
import Foundation
import Glibc
import Synchronization
import TestSupport

/// The blocks of a process, each noted in a file when it begins and when it ends: what the file has outlives a process that is
/// killed.
final class HistoryLog: Sendable {
    private struct Line: Codable {
        var block: SerialHistory.Block
        var began: Int
        /// `nil` in the line of the beginning.
        var ended: Int?
        var isDone = false
    }

    private let file: Int32
    private let values: Mutex<Int>

    init(_ path: String, firstValue: Int) throws {
        file = Glibc.open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw CampaignFailure("A file for a history cannot be opened", path) }
        values = Mutex(firstValue)
    }

    deinit { close(file) }

    /// A value that is appended only once, by any process.
    func makeValue() -> Int {
        values.withLock { value in
            value += 1
            return value
        }
    }

    /// Notes a block that begins.
    func begin(_ block: SerialHistory.Block) -> Int {
        let now = SerialHistory.now()
        write(Line(block: block, began: now))
        return now
    }

    /// Notes a block that has ended.
    func end(_ block: SerialHistory.Block, _ outcome: SerialHistory.Outcome, began: Int) {
        write(Line(block: block, began: began, ended: SerialHistory.now(), isDone: outcome == .done))
    }

    private func write(_ line: Line) {
        guard var bytes = try? JSONEncoder().encode(line) else { return }
        bytes.append(UInt8(ascii: "\n"))
        // One call, so that lines don't mix.
        _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    }

    /// Adds what a file has to a history. Whether blocks that have not ended took effect is unknown.
    static func add(_ path: String, to history: SerialHistory) {
        var open: [String: Line] = [:]
        for text in ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n") {
            guard let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8)) else { continue }
            guard let ended = line.ended else {
                open[line.block.name] = line
                continue
            }
            open[line.block.name] = nil
            history.add(line.block, line.isDone ? .done : .undone, began: line.began, ended: ended)
        }
        for line in open.values { history.add(line.block, .unknown, began: line.began, ended: .max) }
    }
}
