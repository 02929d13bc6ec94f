package import OpenCoreData

/// Objects as people name them: the whole URI, or its last two parts, `Book/p12`.
package enum ObjectName {
    package static let scheme = "x-coredata://"

    /// The URI of an object, as a string.
    package static func uri(of id: NSManagedObjectID) -> String {
        let name = id.layout.name
        guard !id.isTemporaryID, name.utf8.allSatisfy(isPlain) else { return id.uriRepresentation().absoluteString }
        return "\(scheme)\(id.storeIdentifier)/\(name)/p\(id.reference)"
    }

    /// The URI of an object without what identifies its store: `Book/p12`.
    package static func short(_ id: NSManagedObjectID) -> String { short(uri(of: id)) }

    /// Whether a character of an entity's name stands in a URI as it is.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The last two parts of an object's URI; other strings as they are.
    package static func short(_ string: String) -> String {
        guard string.hasPrefix(scheme) else { return string }
        let bytes = string.utf8
        guard let last = bytes.lastIndex(of: UInt8(ascii: "/")),
            let previous = bytes[..<last].lastIndex(of: UInt8(ascii: "/"))
        else { return string }
        return String(string[bytes.index(after: previous)...])
    }

    /// The whole URI for what a user typed; nil when it names no object.
    package static func uri(_ string: String, storeIdentifier: String) -> String? {
        if string.hasPrefix(scheme) {
            let parts = string.dropFirst(scheme.count).split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == 3 && parts.allSatisfy { !$0.isEmpty } ? string : nil
        }
        let parts = string.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].first == "p", Int64(parts[1].dropFirst()) != nil else {
            return nil
        }
        return "\(scheme)\(storeIdentifier)/\(string)"
    }
}
