/// What changed between two texts, in the form that `patch` reads.
package enum UnifiedDiff {
    private static let context = 3

    private enum Line {
        case same(String)
        case removed(String)
        case added(String)

        var text: String {
            switch self {
            case .same(let text): " \(text)"
            case .removed(let text): "-\(text)"
            case .added(let text): "+\(text)"
            }
        }

        var isChange: Bool {
            if case .same = self { return false }
            return true
        }
    }

    /// The difference, or an empty string if the files are equal.
    package static func text(from old: String, to new: String, file: String) -> String {
        guard old != new else { return "" }
        let lines = lines(from: split(old), to: split(new))
        var result = "--- \(file)\n+++ \(file)\n"
        for hunk in hunks(of: lines) { result += text(of: lines, hunk) }
        return result
    }

    private static func split(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    private static func lines(from old: [String], to new: [String]) -> [Line] {
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var result: [Line] = []
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < old.count || newIndex < new.count {
            if oldIndex < old.count, removed.contains(oldIndex) {
                result.append(.removed(old[oldIndex]))
                oldIndex += 1
            } else if newIndex < new.count, added.contains(newIndex) {
                result.append(.added(new[newIndex]))
                newIndex += 1
            } else {
                result.append(.same(new[newIndex]))
                oldIndex += 1
                newIndex += 1
            }
        }
        return result
    }

    /// The stretches of lines that are shown.
    private static func hunks(of lines: [Line]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for index in lines.indices where lines[index].isChange {
            let range = max(0, index - context)..<min(lines.count, index + context + 1)
            if let last = result.last, last.upperBound >= range.lowerBound {
                result[result.count - 1] = last.lowerBound..<range.upperBound
            } else {
                result.append(range)
            }
        }
        return result
    }

    private static func text(of lines: [Line], _ hunk: Range<Int>) -> String {
        func count(_ lines: ArraySlice<Line>) -> (old: Int, new: Int) {
            lines.reduce(into: (0, 0)) { counts, line in
                switch line {
                case .same: counts = (counts.0 + 1, counts.1 + 1)
                case .removed: counts.0 += 1
                case .added: counts.1 += 1
                }
            }
        }
        let before = count(lines[..<hunk.lowerBound])
        let inside = count(lines[hunk])
        func range(_ start: Int, _ count: Int) -> String { "\(count == 0 ? start : start + 1),\(count)" }
        let head = "@@ -\(range(before.old, inside.old)) +\(range(before.new, inside.new)) @@\n"
        return head + lines[hunk].map { $0.text + "\n" }.joined()
    }
}
