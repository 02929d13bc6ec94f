#if PostgreSQL
import CPostgreSQL
package import Foundation
import OpenCoreData

/// Where a database is: a URL or a connection string as libpq understands it, with the schema as one more item of a URL.
package struct PostgreSQLAddress: Sendable, Hashable {
    /// libpq's parameters by name, as they were given. The password is among them.
    private(set) var parameters: [String: String]
    /// The schema that is the store; `public` where none was named.
    package let schema: String
    /// The address for messages: without password.
    package let displayName: String
    /// What the address says of how connections behave.
    package let settings: AddressSettings

    /// The items of a URL's query that are not libpq's.
    private static let ownItems = AddressSettings.names.union(["schema"])

    /// What metrics and traces call the store.
    var labels: StoreLabels {
        StoreLabels(system: "postgresql", store: parameters["dbname"] ?? "", schema: schema)
    }

    /// Reads an address.
    ///
    /// - Parameter string: `postgresql://user@host:port/database?schema=name`, or `host=… dbname=…`.
    /// - Throws: `PostgreSQLError` of the kind `invalidAddress`, which doesn't repeat the string.
    package init(_ string: String) throws {
        let (rest, own) = Self.split(string)
        guard !rest.utf8.contains(0) else { throw Self.invalid("it has the character U+0000") }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(rest, &message) else {
            let reason = message.map { String(cString: $0) } ?? "out of memory"
            PQfreemem(message)
            throw Self.invalid(Self.withoutQuotations(reason))
        }
        defer { PQconninfoFree(options) }
        var found: [String: String] = [:]
        var option = options
        while let name = option.pointee.keyword {
            if let value = option.pointee.val { found[String(cString: name)] = String(cString: value) }
            option += 1
        }
        let schema = own["schema"] ?? "public"
        guard !schema.isEmpty, schema.utf8.count <= 63, !schema.utf8.contains(0) else {
            throw Self.invalid("the name of a schema has 1 to 63 bytes")
        }
        self.schema = schema
        settings = try AddressSettings(own) { Self.invalid($0) }
        parameters = found
        displayName = Self.displayName(found, schema: schema)
    }

    package init(_ url: URL) throws { try self.init(url.absoluteString) }

    /// Whether a URL is one of a PostgreSQL database.
    package static func handles(_ url: URL) -> Bool {
        ["postgresql", "postgres"].contains(url.scheme?.lowercased() ?? "")
    }

    /// Parts an address into what libpq gets and the items of the query that are ours.
    private static func split(_ string: String) -> (rest: String, own: [String: String]) {
        guard string.hasPrefix("postgres://") || string.hasPrefix("postgresql://"),
            let mark = string.firstIndex(of: "?")
        else {
            return (string, [:])
        }
        var own: [String: String] = [:]
        var items: [Substring] = []
        for item in string[string.index(after: mark)...].split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(pair[0])
            if ownItems.contains(name), pair.count == 2 {
                own[name] = String(pair[1]).removingPercentEncoding ?? String(pair[1])
            } else {
                items.append(item)
            }
        }
        return (string[..<mark] + (items.isEmpty ? "" : "?" + items.joined(separator: "&")), own)
    }

    /// libpq quotes the string that it doesn't understand, in which the password may stand.
    private static func withoutQuotations(_ reason: String) -> String {
        let parts = reason.split(separator: "\"", omittingEmptySubsequences: false)
        let outside = parts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        return outside.joined(separator: "…").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func invalid(_ reason: String) -> PostgreSQLError {
        PostgreSQLError(.invalidAddress, "The address of the PostgreSQL database can't be understood: \(reason).")
    }

    private static func displayName(_ parameters: [String: String], schema: String) -> String {
        let user = parameters["user"].map { $0 + "@" } ?? ""
        var hosts = (parameters["host"] ?? parameters["hostaddr"] ?? "").split(separator: ",").map(String.init)
        let ports = (parameters["port"] ?? "").split(separator: ",").map(String.init)
        for (index, host) in hosts.enumerated() {
            if let port = ports.count == 1 ? ports[0] : ports.indices.contains(index) ? ports[index] : nil {
                hosts[index] = "\(host):\(port)"
            }
        }
        let database = parameters["dbname"] ?? ""
        return "postgresql://\(user)\(hosts.joined(separator: ","))/\(database)?schema=\(schema)"
    }

    // MARK: What libpq gets

    /// Whether each host that is named is this machine: a socket, or the loopback address.
    var isLocal: Bool {
        let environment = ProcessInfo.processInfo.environment
        let host =
            parameters["hostaddr"] ?? parameters["host"] ?? environment["PGHOSTADDR"] ?? environment["PGHOST"]
        let hosts = (host ?? "").split(separator: ",")
        return hosts.allSatisfy { host in
            host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
                || host.hasPrefix("127.")
        }
    }

    /// libpq's parameters for a connection.
    ///
    /// - Parameter hasSettings: Whether the settings of the session are among them.
    func connectionParameters(_ options: PostgreSQLOptions, hasSettings: Bool = true) -> [String: String] {
        let options = settings.merged(options)
        let environment = ProcessInfo.processInfo.environment
        var result = parameters
        func fill(_ name: String, _ variable: String? = nil, _ value: String) {
            guard result[name] == nil, variable.flatMap({ environment[$0] }) == nil else { return }
            result[name] = value
        }
        fill("connect_timeout", "PGCONNECT_TIMEOUT", String(max(1, options.connectTimeout)))
        fill("tcp_user_timeout", nil, String(max(1, options.networkTimeout) * 1000))
        fill("keepalives_idle", nil, "15")
        fill("keepalives_interval", nil, "5")
        fill("keepalives_count", nil, "3")
        fill("application_name", "PGAPPNAME", options.applicationName)
        fill("target_session_attrs", "PGTARGETSESSIONATTRS", options.session.rawValue)
        if !isLocal {
            fill("sslmode", "PGSSLMODE", "verify-full")
            if result["sslmode"] == "verify-full", let roots = Self.rootCertificates(environment) {
                fill("sslrootcert", "PGSSLROOTCERT", roots)
            }
        }
        result["client_encoding"] = "UTF8"
        if options.pooling == .session, hasSettings {
            let own = options.settings.map { "-c \($0.name)=\($0.value)" }.joined(separator: " ")
            // The last one wins, and that is the user's.
            result["options"] = [own, result["options"] ?? environment["PGOPTIONS"]].compactMap { $0 }
                .joined(separator: " ")
        }
        return result
    }

    /// The system's certificates, where the user has none of their own for PostgreSQL.
    private static func rootCertificates(_ environment: [String: String]) -> String? {
        let own = (environment["HOME"] ?? "") + "/.postgresql/root.crt"
        if FileManager.default.fileExists(atPath: own) { return nil }
        if PQlibVersion() >= 160_000 { return "system" }
        return [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
        ].first { FileManager.default.fileExists(atPath: $0) }
    }
}
#endif
