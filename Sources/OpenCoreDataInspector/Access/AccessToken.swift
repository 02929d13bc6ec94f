#if Inspector
import HTTPTypes
/// The secret that a browser has to know. It is printed once, and compared in the same time whatever is wrong.
public struct AccessToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// The secret itself.
    public let string: String

    /// A new secret of 256 random bits.
    ///
    /// The random numbers are those of the system, which are fit for secrets.
    public init() {
        var generator = SystemRandomNumberGenerator()
        let words = (0..<4).map { _ in generator.next() as UInt64 }
        string = words.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// A secret that the program chose.
    ///
    /// Use it for a token that stays the same over starts of the program, and read it from where secrets are kept.
    ///
    /// - Parameter string: At least 16 characters; letters, digits, `-` and `_`.
    /// - Throws: ``InspectorError`` for a shorter one, or other characters.
    public init(_ string: String) throws {
        guard string.utf8.count >= 16, string.utf8.allSatisfy(Self.isPlain) else {
            throw InspectorError(
                .badRequest, "A token for the inspector needs at least 16 letters, digits, hyphens or underscores.")
        }
        self.string = string
    }

    /// Hides the secret, so that it reaches no log.
    public var description: String { "AccessToken(hidden)" }

    /// Hides the secret, so that it reaches no log.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Whether `other` is the secret. Takes as long for a wrong first letter as for a wrong last one.
    func matches(_ other: some StringProtocol) -> Bool {
        let (own, given) = (Array(string.utf8), Array(other.utf8))
        var difference = UInt8(own.count == given.count ? 0 : 1)
        for index in own.indices { difference |= own[index] ^ (index < given.count ? given[index] : 0) }
        return difference == 0
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
#endif
