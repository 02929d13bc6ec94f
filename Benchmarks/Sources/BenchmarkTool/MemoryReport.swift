import Bookshelf
import Foundation

/// Bytes held for each fetched book: the peak of a process that fetches and reads everything, less that of one that
/// fetches the object IDs, divided by the number of books.
struct MemoryReport {
    let figures: [(name: String, bytesPerBook: Double)]

    /// Starts one child process for each implementation and operation; their stores must have been built.
    init(names: [String], bookCount: Int, folder: URL) throws {
        figures = try names.map { name in
            let peaks = try [Bookshelf.Operation.fetchTouch, .fetchIDs].map {
                try Self.peak(name, $0, bookCount: bookCount, folder: folder)
            }
            return (name, Double(peaks[0] - peaks[1]) / Double(bookCount))
        }
    }

    /// Whether all but the baseline keep to the budget.
    var holds: Bool {
        figures.allSatisfy { $0.name == BenchmarkTool.baselineName || $0.bytesPerBook <= Budget.bytesPerBook }
    }

    func text(markdown: Bool) -> String {
        var table = Table(["memory", "bytes per book", "budget"])
        for figure in figures {
            table.add([
                figure.name, Figures.decimal(figure.bytesPerBook, places: 0),
                Figures.decimal(Budget.bytesPerBook, places: 0),
            ])
        }
        return table.text(markdown: markdown)
    }

    private static func peak(
        _ name: String, _ operation: Bookshelf.Operation, bookCount: Int, folder: URL
    ) throws -> Int {
        try ChildProcess.number(
            ["--child", "\(name):\(operation.rawValue)", "--n", "\(bookCount)", "--folder", folder.path],
            task: "\(operation.rawValue) by \(name)")
    }
}
