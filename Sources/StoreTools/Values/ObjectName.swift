/// Objects as people name them: the whole URI, or its last two parts, `Book/p12`.
package enum ObjectName {
    package static let scheme = "x-coredata://"

    /// The last two parts of an object's URI; other texts as they are.
    package static func short(_ text: String) -> String {
        guard text.hasPrefix(scheme) else { return text }
        return text.dropFirst(scheme.count).split(separator: "/").suffix(2).joined(separator: "/")
    }

    /// The whole URI for what a user typed; nil when it names no object.
    package static func uri(_ text: String, storeIdentifier: String) -> String? {
        if text.hasPrefix(scheme) {
            let parts = text.dropFirst(scheme.count).split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == 3 && parts.allSatisfy { !$0.isEmpty } ? text : nil
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].first == "p", Int64(parts[1].dropFirst()) != nil else {
            return nil
        }
        return "\(scheme)\(storeIdentifier)/\(text)"
    }
}
