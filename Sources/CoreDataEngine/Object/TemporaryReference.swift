import Foundation
import Synchronization

/// Numbers for objects that were never saved: negative, unique in the process.
enum TemporaryReference {
    private static let last = Atomic<Int64>(0)
    /// Makes the UUIDs of temporary identifiers differ from run to run.
    private static let processPart = UUID().uuidString.prefix(18)

    static func next() -> Int64 {
        -last.add(1, ordering: .relaxed).newValue
    }

    /// The UUID string that represents the number in a URI.
    static func uuidString(of reference: Int64) -> String {
        let digits = String(UInt64(bitPattern: -reference), radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 16 - digits.count)) + digits
        return "\(processPart)-\(padded.prefix(4))-\(padded.suffix(12))"
    }

    /// The number for a UUID string that this process made.
    static func reference(ofUUIDString string: String) -> Int64? {
        let parts = string.split(separator: "-")
        guard parts.count == 5, string.hasPrefix(processPart),
            let number = UInt64(parts[3] + parts[4], radix: 16), number > 0, number < UInt64(Int64.max)
        else { return nil }
        return -Int64(number)
    }
}
