package import Foundation

extension URL {
    /// The URL for messages: the path of a file; of another URL all but what could be secret.
    package var displayName: String { isFileURL ? path : withoutSecrets.absoluteString }

    /// The store at the URL for sentences: the name of a file; of another URL all but what could be secret.
    package var storeName: String { isFileURL ? lastPathComponent : displayName }

    /// The URL without its password, whether that stands before the host or among the query's items.
    package var withoutSecrets: URL {
        guard !isFileURL, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        let isSecret: (URLQueryItem) -> Bool = { $0.name.lowercased().contains("password") }
        guard parts.password != nil || parts.queryItems?.contains(where: isSecret) == true else { return self }
        parts.password = nil
        if let items = parts.queryItems {
            let shown = items.filter { !isSecret($0) }
            parts.queryItems = shown.isEmpty ? nil : shown
        }
        return parts.url ?? URL(string: scheme.map { "\($0):" } ?? "-") ?? self
    }
}
