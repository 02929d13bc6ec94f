#if Inspector
/// The access policy of an inspector.
public struct InspectorAccess: Sendable {
    /// The secret that a browser must know; nil where the program's own middleware decides.
    public var token: AccessToken?
    /// The names under which the server may be asked, without ports. A page of another site that makes a name of
    /// its own lead to this machine is refused by this.
    public var hosts: Set<String>

    /// The access policy of an inspector.
    ///
    /// Names are compared without regard to case. Pass `nil` as the token only if middleware before the inspector
    /// checks who asks: without it, everyone who reaches the server sees all data.
    ///
    /// - Parameters:
    ///   - token: The secret that a browser must know; nil where the program's own middleware decides.
    ///   - hosts: The names under which the server may be asked, without ports.
    public init(token: AccessToken? = AccessToken(), hosts: Set<String> = Self.loopback) {
        self.token = token
        self.hosts = Set(hosts.map { $0.lowercased() })
    }

    /// The names of this machine for itself.
    public static let loopback: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

    /// Whether a request may ask for this authority, as `127.0.0.1:8080`.
    func allows(authority: String?) -> Bool {
        guard let authority else { return false }
        return hosts.contains(Self.host(of: authority).lowercased())
    }

    /// An authority without its port.
    static func host(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            let rest = authority[authority.index(after: end)...]
            return rest.isEmpty || isPort(rest) ? String(authority[...end]) : authority
        }
        guard let colon = authority.lastIndex(of: ":") else { return authority }
        return isPort(authority[colon...]) ? String(authority[..<colon]) : authority
    }

    private static func isPort(_ string: Substring) -> Bool {
        string.first == ":" && UInt16(string.dropFirst()) != nil
    }
}
#endif
