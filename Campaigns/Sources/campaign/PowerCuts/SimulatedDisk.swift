import CampaignCore
import Foundation

/// A disk that loses what was not flushed when the power is cut.
///
/// Content and names are separate: what was written to a file since its last flush may be there, in part, or not, each
/// piece of 512 bytes for itself. Names change in order, as in a file system with a journal, and those since the folder
/// was last flushed may not have changed. An entry of a folder is on the disk when the folder was flushed.
struct SimulatedDisk {
    private static let sector = 512

    /// The content of a file, by whatever name.
    private final class Node {
        /// What a reader sees.
        var content: Data
        /// What is on the disk for certain.
        var durable: Data
        /// What was changed since the last flush.
        var pending: [Change] = []

        enum Change {
            case write(Int, Data)
            case truncate(Int)
        }

        init(_ data: Data) { (content, durable) = (data, data) }
    }

    private enum NameChange {
        case set(String, Node)
        case remove(String)
        case move(String, String, Node)
    }

    private var names: [String: Node] = [:]
    private var durableNames: [String: Node]
    private var pendingNames: [NameChange] = []

    init(_ files: [String: Data]) {
        for (name, data) in files { names[name] = Node(data) }
        durableNames = names
    }

    private static func folder(of name: String) -> String { (name as NSString).deletingLastPathComponent }

    mutating func apply(_ change: DiskChange) {
        switch change {
        case .create(let name):
            let node = Node(Data())
            names[name] = node
            pendingNames.append(.set(name, node))
        case .write(let name, let offset, let data): write(name, .write(offset, data))
        case .truncate(let name, let size): write(name, .truncate(size))
        case .flush(let name):
            if let node = names[name] {
                node.durable = node.content
                node.pending = []
            } else {
                flushNames(of: name)
            }
        case .rename(let from, let to): rename(from, to)
        case .link(let from, let to):
            guard let node = names[from] else { return }
            names[to] = node
            pendingNames.append(.set(to, node))
        case .unlink(let name):
            names[name] = nil
            pendingNames.append(.remove(name))
        case .makeFolder, .removeFolder, .mark: break
        }
    }

    private mutating func write(_ name: String, _ change: Node.Change) {
        guard let node = names[name] else { return }
        Self.apply(change, to: &node.content)
        node.pending.append(change)
    }

    private static func apply(_ change: Node.Change, to data: inout Data) {
        switch change {
        case .truncate(let size):
            if size < data.count { data = Data(data.prefix(size)) } else { data.append(Data(count: size - data.count)) }
        case .write(let offset, let bytes):
            if data.count < offset { data.append(Data(count: offset - data.count)) }
            let end = min(data.count, offset + bytes.count)
            data.replaceSubrange(offset..<end, with: bytes)
        }
    }

    private mutating func rename(_ from: String, _ to: String) {
        // A folder takes all that is in it along.
        for name in names.keys.sorted() where name == from || name.hasPrefix(from + "/") {
            guard let node = names.removeValue(forKey: name) else { continue }
            let target = to + name.dropFirst(from.count)
            names[target] = node
            pendingNames.append(.move(name, target, node))
        }
    }

    /// All changes up to the last one in a folder are on the disk: a journal keeps their order.
    private mutating func flushNames(of folder: String) {
        func isIn(_ name: String) -> Bool { Self.folder(of: name) == folder }
        let last = pendingNames.lastIndex { change in
            switch change {
            case .set(let name, _), .remove(let name): isIn(name)
            case .move(let from, let to, _): isIn(from) || isIn(to)
            }
        }
        guard let last else { return }
        for change in pendingNames[...last] { Self.apply(change, to: &durableNames) }
        pendingNames.removeSubrange(...last)
    }

    private static func apply(_ change: NameChange, to names: inout [String: Node]) {
        switch change {
        case .set(let name, let node): names[name] = node
        case .remove(let name): names[name] = nil
        case .move(let from, let to, let node):
            names[from] = nil
            names[to] = node
        }
    }

    /// What is left when the power is cut now.
    func afterPowerCut(_ random: inout SplitMix64) -> [String: Data] {
        var names = durableNames
        let kept = random.chance(40) ? pendingNames.count : random.below(pendingNames.count + 1)
        for change in pendingNames.prefix(kept) { Self.apply(change, to: &names) }
        let mood = random.below(4)
        return names.keys.sorted().reduce(into: [:]) { files, name in
            guard let node = names[name] else { return }
            files[name] = Self.remains(of: node, mood, &random)
        }
    }

    /// - Parameter mood: 0: nothing unflushed is there, 1: all is, else parts.
    private static func remains(of node: Node, _ mood: Int, _ random: inout SplitMix64) -> Data {
        if mood == 0 { return node.durable }
        if mood == 1 { return node.content }
        var data = node.durable
        for change in node.pending {
            switch change {
            case .truncate: if random.chance(50) { apply(change, to: &data) }
            case .write(let offset, let bytes):
                if random.chance(30) { continue }
                guard random.chance(40) else {
                    apply(change, to: &data)
                    continue
                }
                for start in stride(from: 0, to: bytes.count, by: sector) where random.chance(50) {
                    let piece = bytes.dropFirst(start).prefix(sector)
                    apply(.write(offset + start, Data(piece)), to: &data)
                }
            }
        }
        return data
    }
}
