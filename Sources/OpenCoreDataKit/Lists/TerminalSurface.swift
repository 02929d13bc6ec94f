import Foundation

/// Shows a list as lines of text in a terminal, and draws only the lines that changed.
///
/// The list uses the terminal from its first line on. Lines are drawn with ANSI control sequences, through a function
/// that tests can replace.
@MainActor public final class TerminalSurface: ListSurface {
    private let write: @MainActor (String) -> Void
    private let placeholder: String
    private let firstLine: Int
    private var content: ListContent<String>?
    private var rows: [[String]] = []
    private var isEmpty = true
    /// The lines in the terminal.
    public private(set) var lines: [String] = []
    /// The number of lines that the last change has drawn.
    public private(set) var linesWritten = 0

    /// Creates a surface.
    ///
    /// Nothing is drawn before the first ``reload()``. A first line below 1 counts as 1. With an empty placeholder, an
    /// empty list has no line.
    ///
    /// - Parameters:
    ///   - firstLine: The line of the terminal at which the list begins, counted from 1.
    ///   - placeholder: The line that is shown for an empty list.
    ///   - write: Writes text; by default to standard output.
    public init(
        firstLine: Int = 1, placeholder: String = "",
        write: @escaping @MainActor (String) -> Void = TerminalSurface.toStandardOutput
    ) {
        self.firstLine = max(1, firstLine)
        self.placeholder = placeholder
        self.write = write
    }

    /// Writes to standard output without buffering.
    ///
    /// It bypasses the buffer of `print`, so text that was printed before may appear later than this text.
    ///
    /// - Parameter string: The text.
    public static func toStandardOutput(_ string: String) { FileHandle.standardOutput.write(Data(string.utf8)) }

    /// Sets the content to display.
    ///
    /// Nothing is drawn until the next ``reload()`` or batch.
    ///
    /// - Parameter content: The content; `nil` removes it.
    public func show(_ content: ListContent<String>?) { self.content = content }

    /// Redraws all rows.
    ///
    /// Lines that are the same as before aren't written again; ``linesWritten`` says how many were. Lines that are no
    /// longer needed are cleared.
    public func reload() {
        rows = content?.rows ?? []
        isEmpty = rows.allSatisfy(\.isEmpty)
        draw()
    }

    /// Draws the changes of a batch, and calls `completion` afterwards.
    ///
    /// Only lines that differ are written. If the batch doesn't match the rows, all rows are read from the content
    /// instead. `completion` is called before this returns.
    ///
    /// - Parameters:
    ///   - changes: The batch.
    ///   - completion: Called when the batch is drawn.
    public func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void) {
        let applied = try? changes.applied(to: rows) { path in
            guard let row = content?.row(at: path) else {
                throw ListChanges.Violation("The list has no row \(path).")
            }
            return row
        }
        rows = applied ?? content?.rows ?? []
        isEmpty = rows.allSatisfy(\.isEmpty)
        draw()
        completion()
    }

    /// Shows or hides the placeholder.
    ///
    /// Nothing is drawn if the value is the same as before.
    ///
    /// - Parameter isEmpty: Whether the list is empty.
    public func showPlaceholder(_ isEmpty: Bool) {
        guard isEmpty != self.isEmpty else { return }
        self.isEmpty = isEmpty
        draw()
    }

    private func draw() {
        let wanted = isEmpty ? [placeholder].filter { !$0.isEmpty } : listLines
        linesWritten = 0
        for index in 0..<max(wanted.count, lines.count) {
            let line = index < wanted.count ? wanted[index] : nil
            if index < lines.count, lines[index] == line { continue }
            // Go to the line, clear it, write.
            write("\u{1B}[\(firstLine + index);1H\u{1B}[2K\(line ?? "")")
            linesWritten += 1
        }
        if linesWritten > 0 { write("\u{1B}[\(firstLine + wanted.count);1H") }
        lines = wanted
    }

    private var listLines: [String] {
        var result: [String] = []
        for (section, strings) in rows.enumerated() {
            if let title = content?.title(ofSection: section), !title.isEmpty { result.append(Self.line(title)) }
            result += strings.map { "  " + Self.line($0) }
        }
        return result
    }

    /// A string in one line, without control characters: rows are data, and must not steer the terminal.
    private static func line(_ string: String) -> String {
        String(
            String.UnicodeScalarView(string.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 })
        )
    }
}
