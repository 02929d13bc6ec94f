import Bookshelf
import EngineWorkload
import Foundation

/// Whether memory grows with the result where a fetch is read in batches: the peak of processes that read a store of
/// 100,000 and one of 1,000,000 books, without the mapped store file.
struct BatchMemoryReport {
    static let sizes = [100_000, 1_000_000]
    /// Bytes that a row may add to the peak of `fetchInBatches(_:)`: its identity, eight bytes, and what SQLite sorts it by.
    static let bytesPerRow = 24.0
    /// Bytes that the page cache may add, however many rows there are: what stands in a file behind the part that is mapped is
    /// read through it. The larger store has its indexes there, the smaller one is mapped as a whole.
    static let pageCache = 16.0 * 1_048_576

    private var rows: [(name: String, reading: BatchedReading, peaks: [Int])] = []

    /// Starts the child processes; the engine's stores of both sizes must have been built in `folder`.
    init(folder: URL) throws {
        for reading in BatchedReading.allCases {
            for isSorted in [false, true] {
                let operation = reading.rawValue + (isSorted ? "-sorted" : "")
                let peaks = try Self.sizes.map { size in
                    try ChildProcess.number(
                        ["--child", "engine:\(operation)", "--n", "\(size)", "--folder", folder.path], task: operation)
                }
                rows.append((operation, reading, peaks))
            }
        }
    }

    private func growth(_ peaks: [Int]) -> Double {
        Double(peaks[1] - peaks[0]) / Double(Self.sizes[1] - Self.sizes[0])
    }

    /// Whether `fetchInBatches(_:)` keeps identities alone.
    var holds: Bool {
        let limit = Self.bytesPerRow + Self.pageCache / Double(Self.sizes[1] - Self.sizes[0])
        return rows.allSatisfy { $0.reading != .collection || growth($0.peaks) <= limit }
    }

    func text(markdown: Bool) -> String {
        var table = Table(["peak memory, batches of 500"] + Self.sizes.map { "\($0) MB" } + ["bytes for each more row"])
        for row in rows {
            table.add(
                [row.name] + row.peaks.map { Figures.decimal(Double($0) / 1_000_000, places: 1) }
                    + [Figures.decimal(growth(row.peaks), places: 1)])
        }
        return table.text(markdown: markdown)
    }
}
