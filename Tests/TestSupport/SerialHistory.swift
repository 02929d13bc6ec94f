import Dispatch
import Synchronization

/// What blocks of transactions have read of some lists and appended to them, and whether one order of the blocks, one after the
/// other, explains it: the check that elle makes of lists.
///
/// Each value is appended once. The lists as they are at the end say in which order; what a block has read says which of the
/// others must have come before it and which after it. An order that contradicts itself is an anomaly.
package final class SerialHistory: Sendable {
    /// What one block did.
    package struct Block: Sendable, Codable {
        /// By list: what the block read before it appended anything.
        package var reads: [String: [Int]] = [:]
        /// By list: what it appended.
        package var appends: [String: Int] = [:]
        package var name = ""

        package init(_ name: String) { self.name = name }
    }

    /// What became of a block; `unknown` of one whose process was killed before it said so.
    package enum Outcome: Sendable { case done, undone, unknown }

    private struct Entry: Sendable {
        var block: Block
        var outcome: Outcome
        var began: Int
        var ended: Int
    }

    private struct State {
        var entries: [Entry] = []
        var value = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// A value that is appended only once.
    package func makeValue() -> Int {
        state.withLock { state in
            state.value += 1
            return state.value
        }
    }

    /// This moment, by a clock that all processes of the machine have in common.
    package static func now() -> Int { Int(DispatchTime.now().uptimeNanoseconds) }

    /// The moment at which a block begins.
    package func begin() -> Int { Self.now() }

    /// Notes a block that has ended.
    package func end(_ block: Block, _ outcome: Outcome, began: Int) {
        add(block, outcome, began: began, ended: Self.now())
    }

    /// Notes a block that was noted elsewhere before.
    package func add(_ block: Block, _ outcome: Outcome, began: Int, ended: Int) {
        state.withLock { $0.entries.append(Entry(block: block, outcome: outcome, began: began, ended: ended)) }
    }

    /// How many blocks were noted.
    package var count: Int { state.withLock { $0.entries.count } }

    /// How many blocks were noted whose names begin so.
    package func count(named start: String) -> Int {
        state.withLock { $0.entries.count { $0.block.name.hasPrefix(start) } }
    }

    // MARK: Checking

    /// What can't be explained; empty when one order explains everything.
    ///
    /// - Parameter lists: The lists as they are at the end.
    package func anomalies(_ lists: [String: [Int]]) -> [String] {
        let entries = state.withLock { $0.entries }.map { Self.settled($0, lists) }
        var found = Self.contents(entries, lists)
        // Where appends are missing, there is no order to look for.
        if found.isEmpty { found = Self.cycle(entries, lists) }
        return found
    }

    /// A block that never said what became of it: it was done when anything of it is there. What it has read isn't known.
    private static func settled(_ entry: Entry, _ lists: [String: [Int]]) -> Entry {
        guard entry.outcome == .unknown else { return entry }
        var entry = entry
        let isThere = entry.block.appends.contains { lists[$0.key]?.contains($0.value) == true }
        entry.outcome = isThere ? .done : .undone
        return entry
    }

    /// Whether all that was done is there once, nothing that was undone, and every read is the beginning of its list.
    private static func contents(_ entries: [Entry], _ lists: [String: [Int]]) -> [String] {
        var found: [String] = []
        var known: [String: Set<Int>] = [:]
        for (list, values) in lists {
            known[list] = Set(values)
            if known[list]?.count != values.count { found.append("\(list) has a value twice: \(values)") }
        }
        for entry in entries {
            for (list, value) in entry.block.appends {
                let isThere = known[list]?.contains(value) == true
                switch entry.outcome {
                case .done where !isThere:
                    let rivals = entries.filter {
                        $0.outcome == .done && $0.block.name != entry.block.name && $0.block.appends[list] != nil
                            && $0.block.reads[list] == entry.block.reads[list]
                    }
                    found.append(
                        "\(entry.block.name): \(value) is gone from \(list), which was read alike by "
                            + "\(rivals.map(\.block.name))")
                case .undone where isThere: found.append("\(entry.block.name): \(value) is in \(list) and was undone")
                default: break
                }
            }
            guard entry.outcome == .done else { continue }
            for (list, values) in entry.block.reads where !(lists[list] ?? []).starts(with: values) {
                found.append("\(entry.block.name) read \(values) of \(list), which is \(lists[list] ?? [])")
            }
        }
        return found
    }

    private static func cycle(_ entries: [Entry], _ lists: [String: [Int]]) -> [String] {
        let done = entries.filter { $0.outcome == .done }
        var writers: [Int: Int] = [:]
        for (index, entry) in done.enumerated() { for value in entry.block.appends.values { writers[value] = index } }
        var graph = SerialGraph(count: done.count)
        for values in lists.values {
            for (first, second) in zip(values, values.dropFirst()) { graph.add(writers[first], writers[second]) }
        }
        for (index, entry) in done.enumerated() {
            for (list, values) in entry.block.reads {
                if let last = values.last { graph.add(writers[last], index) }
                if let all = lists[list], values.count < all.count { graph.add(index, writers[all[values.count]]) }
            }
        }
        graph.addTimes(done.map { ($0.began, $0.ended) })
        guard let cycle = graph.cycle() else { return [] }
        let names = cycle.filter { $0 < done.count }.map { index in
            "\(done[index].block.name): read \(done[index].block.reads), appended \(done[index].block.appends)"
        }
        return ["No order explains: " + names.joined(separator: " -> ")]
    }
}

/// Which block comes before which.
private struct SerialGraph {
    private var next: [[Int]]

    init(count: Int) { next = Array(repeating: [], count: count) }

    mutating func add(_ first: Int?, _ second: Int?) {
        if let first, let second, first != second { next[first].append(second) }
    }

    /// A block that ended before another one began comes before it. Points of time between them keep the edges few.
    mutating func addTimes(_ times: [(began: Int, ended: Int)]) {
        let ends = times.indices.sorted { times[$0].ended < times[$1].ended }
        let first = next.count
        for (position, index) in ends.enumerated() {
            next.append([])
            next[index].append(first + position)
            if position > 0 { next[first + position - 1].append(first + position) }
        }
        for index in times.indices {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if times[ends[middle]].ended < times[index].began { low = middle + 1 } else { high = middle }
            }
            if low > 0 { next[first + low - 1].append(index) }
        }
    }

    /// Some that each come before the next, and the last before the first.
    func cycle() -> [Int]? {
        enum Mark { case new, open, done }
        var marks = Array(repeating: Mark.new, count: next.count)
        for start in next.indices where marks[start] == .new {
            var path = [(node: start, edge: 0)]
            marks[start] = .open
            while let top = path.last {
                guard top.edge < next[top.node].count else {
                    marks[top.node] = .done
                    path.removeLast()
                    continue
                }
                path[path.count - 1].edge += 1
                let target = next[top.node][top.edge]
                switch marks[target] {
                case .done: continue
                case .open:
                    let begin = path.firstIndex { $0.node == target } ?? 0
                    return path[begin...].map(\.node)
                case .new:
                    marks[target] = .open
                    path.append((target, 0))
                }
            }
        }
        return nil
    }
}
