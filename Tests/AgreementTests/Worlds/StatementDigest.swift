import Synchronization

/// What a store's statements are, as one number: equal for equal texts in the same order.
final class StatementDigest: Sendable {
    private struct State {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var count = 0
        var texts: [String] = []
    }

    private let state = Mutex(State())
    private let keepsTexts: Bool

    /// - Parameter keepsTexts: Whether the statements themselves are kept, too.
    init(keepsTexts: Bool) { self.keepsTexts = keepsTexts }

    /// Queries, changes and definitions count; settings and the limits of transactions don't.
    private static let words: Set<String> = ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "CREATE"]

    func note(_ sql: String) {
        guard Self.words.contains(String(sql.prefix { $0.isLetter })) else { return }
        state.withLock { state in
            state.hash = Self.hash(sql, after: state.hash)
            state.count += 1
            if keepsTexts { state.texts.append(sql) }
        }
    }

    /// The number of statements and their hash.
    var summary: String { state.withLock { "\($0.count) \(String($0.hash, radix: 16))" } }

    var texts: [String] { state.withLock { $0.texts } }

    /// FNV-1a of words of eight bytes.
    private static func hash(_ string: String, after hash: UInt64) -> UInt64 {
        var (string, hash) = (string, hash ^ UInt64(string.utf8.count))
        string.withUTF8 { bytes in
            var index = 0
            while index + 8 <= bytes.count {
                let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
                hash = (hash ^ UInt64(littleEndian: word)) &* 0x100_0000_01b3
                index += 8
            }
            while index < bytes.count {
                hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3
                index += 1
            }
        }
        return hash
    }
}
