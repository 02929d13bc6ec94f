import Foundation

/// The memory that imports of several sizes hold, pages of files aside, each measured in a process of its own.
struct ImportMemoryReport {
    static let sizes = [25_000, 100_000, 400_000]

    /// Most bytes that sixteen times as many books may take more: the page caches of two connections, which have a limit.
    static let mostGrowth = 2 * 16_384 * 1024

    private let peaks: [(size: Int, bytes: Int)]

    init(folder: URL) throws {
        peaks = try Self.sizes.map { size in
            Progress.show("an import of \(size)")
            let arguments = ["--child-import", "\(size)", "--folder", folder.path]
            return (size, try ChildProcess.number(arguments, task: "import of \(size)"))
        }
        Progress.show("")
    }

    /// Whether the memory is that of a batch, whatever the number of books.
    var holds: Bool {
        guard let first = peaks.first, let last = peaks.last else { return true }
        return last.bytes - first.bytes <= Self.mostGrowth
    }

    func text(markdown: Bool) -> String {
        var table = Table(["import of", "held MB"])
        for peak in peaks { table.add(["\(peak.size) books", Figures.decimal(Double(peak.bytes) / 1e6, places: 1)]) }
        return table.text(markdown: markdown)
    }
}
