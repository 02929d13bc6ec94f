import Foundation
import StoreTools

/// Reads lines from a terminal, which can be edited, completed and taken from the history.
final class LineEditor {
    /// What may stand in place of the end of a line: the line up to there, and what could follow.
    struct Candidates {
        var start: String.Index
        var words: [String]
    }

    private let history: LineHistory
    private let complete: (String) -> Candidates
    private var prompt = ""
    private var line: [Character] = []
    private var cursor = 0
    /// Which line of the history is shown; at its end, the one that is typed.
    private var position = 0
    private var typed: [Character] = []

    init(history: LineHistory, complete: @escaping (String) -> Candidates) {
        self.history = history
        self.complete = complete
    }

    /// Reads a line.
    ///
    /// - Returns: `nil` at the end of the input.
    func line(after prompt: String) throws -> String? {
        guard TerminalSize.canClearLines, let terminal = RawTerminal() else {
            StandardError.writePrompt(prompt)
            return readLine()
        }
        defer { terminal.restore() }
        self.prompt = prompt
        (line, cursor, typed, position) = ([], 0, [], history.lines.count)
        draw()
        while true {
            let key = terminal.nextKey()
            switch key {
            case .enter:
                write("\r\n")
                history.append(String(line))
                return String(line)
            case .end where line.isEmpty, .deleteOrEnd where line.isEmpty:
                write("\r\n")
                return nil
            case .interrupt:
                write("^C\r\n")
                (line, cursor, position) = ([], 0, history.lines.count)
            case .end: return String(line)
            case .tab: showCandidates()
            default: edit(key)
            }
            draw()
        }
    }

    // MARK: Editing

    private func edit(_ key: RawTerminal.Key) {
        switch key {
        case .text(let string):
            // A mark joins the letter before it.
            let before = Array(String(line[..<cursor]) + string)
            line = before + line[cursor...]
            cursor = before.count
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(line.count, cursor + 1)
        case .lineStart: cursor = 0
        case .lineEnd: cursor = line.count
        case .backspace where cursor > 0:
            line.remove(at: cursor - 1)
            cursor -= 1
        case .delete, .deleteOrEnd: if cursor < line.count { line.remove(at: cursor) }
        case .cutToEnd: line.removeSubrange(cursor...)
        case .cutToStart:
            line.removeSubrange(..<cursor)
            cursor = 0
        case .cutWord:
            var start = cursor
            while start > 0, line[start - 1].isWhitespace { start -= 1 }
            while start > 0, !line[start - 1].isWhitespace { start -= 1 }
            line.removeSubrange(start..<cursor)
            cursor = start
        case .up: show(position - 1)
        case .down: show(position + 1)
        case .clear: write("\u{1B}[H\u{1B}[2J")
        default: break
        }
    }

    private func show(_ wanted: Int) {
        guard (0...history.lines.count).contains(wanted) else { return }
        if position == history.lines.count { typed = line }
        position = wanted
        line = wanted == history.lines.count ? typed : Array(history.lines[wanted])
        cursor = line.count
    }

    private func showCandidates() {
        let before = String(line[..<cursor])
        let candidates = complete(before)
        guard let first = candidates.words.first else { return write("\u{7}") }
        let common = candidates.words.dropFirst().reduce(first) { String($0.commonPrefix(with: $1)) }
        let rest = String(before[candidates.start...])
        // What is complete and needs no more is followed by a space.
        let isComplete = candidates.words.count == 1 && !common.hasSuffix("=") && !common.hasSuffix("/p")
        if common.count > rest.count || isComplete {
            let completed = Array(before[..<candidates.start] + common + (isComplete ? " " : ""))
            line = completed + line[cursor...]
            cursor = completed.count
        } else {
            let shown = candidates.words.prefix(60).map { TerminalText.line($0) }.joined(separator: "  ")
            write("\r\n\(shown)\(candidates.words.count > 60 ? "  …" : "")\r\n")
        }
    }

    // MARK: Showing

    /// Draws the prompt and the part of the line around the cursor that the terminal has room for.
    private func draw() {
        let room = max(8, (TerminalSize.columns(of: STDOUT_FILENO) ?? 80) - DisplayWidth.columns(of: prompt) - 1)
        func width(_ range: Range<Int>) -> Int {
            DisplayWidth.columns(of: TerminalText.line(String(line[range])))
        }
        var start = 0
        while width(start..<cursor) >= room { start += 1 }
        var end = line.count
        while width(start..<end) > room { end -= 1 }
        let shown = TerminalText.line(String(line[start..<end]))
        let column = DisplayWidth.columns(of: prompt) + width(start..<cursor)
        write("\r\(prompt)\(shown)\u{1B}[K\r" + (column > 0 ? "\u{1B}[\(column)C" : ""))
    }

    private func write(_ string: String) { try? SystemFile.writeAll(Array(string.utf8), to: STDOUT_FILENO) }
}
