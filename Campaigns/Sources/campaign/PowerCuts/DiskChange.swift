import CampaignCore
import Foundation

/// One change below a folder, in the order in which a process made them.
enum DiskChange {
    case create(String)
    case write(String, offset: Int, Data)
    case truncate(String, Int)
    /// The file's content, or the folder's names, are on the disk.
    case flush(String)
    case rename(String, String)
    case link(String, String)
    case unlink(String)
    case makeFolder(String)
    case removeFolder(String)
    /// The process acknowledged a number.
    case mark(Int64)

    /// Reads the log of `FaultInjection`.
    static func read(_ log: Data) -> [DiskChange] {
        let bytes = [UInt8](log)
        var changes: [DiskChange] = []
        var index = 0
        func number(_ at: Int, _ size: Int) -> UInt64 {
            (0..<size).reversed().reduce(0) { $0 << 8 | UInt64(bytes[at + $1]) }
        }
        while index + 21 <= bytes.count {
            let kind = bytes[index]
            let lengths = (0..<3).map { Int(number(index + 1 + 4 * $0, 4)) }
            let value = Int64(bitPattern: number(index + 13, 8))
            var start = index + 21
            // A process that is killed may leave half a record.
            guard start + lengths.reduce(0, +) <= bytes.count else { break }
            func part(_ length: Int) -> ArraySlice<UInt8> {
                defer { start += length }
                return bytes[start..<start + length]
            }
            let name = String(decoding: part(lengths[0]), as: UTF8.self)
            let other = String(decoding: part(lengths[1]), as: UTF8.self)
            let data = Data(part(lengths[2]))
            index = start
            switch kind {
            case UInt8(ascii: "C"): changes.append(.create(name))
            case UInt8(ascii: "W"): changes.append(.write(name, offset: Int(value), data))
            case UInt8(ascii: "T"): changes.append(.truncate(name, Int(value)))
            case UInt8(ascii: "S"): changes.append(.flush(name))
            case UInt8(ascii: "R"): changes.append(.rename(name, other))
            case UInt8(ascii: "L"): changes.append(.link(name, other))
            case UInt8(ascii: "U"): changes.append(.unlink(name))
            case UInt8(ascii: "D"): changes.append(.makeFolder(name))
            case UInt8(ascii: "X"): changes.append(.removeFolder(name))
            case UInt8(ascii: "M"): changes.append(.mark(value))
            default: return changes
            }
        }
        return changes
    }
}
