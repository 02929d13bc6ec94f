#if Inspector
public import HTTPTypes
import StoreTools

/// Why the inspector refuses a request.
public struct InspectorError: Error, Sendable, CustomStringConvertible {
    /// The status of the answer.
    public var status: HTTPResponse.Status
    /// A sentence for people.
    public var message: String
    /// Where in a filter the mistake is, in characters from its start.
    var range: Range<Int>?
    /// What else the page shows, such as the difference that is now the right one.
    var details: JSONValue?

    init(
        _ status: HTTPResponse.Status, _ message: String, range: Range<Int>? = nil, details: JSONValue? = nil
    ) {
        self.status = status
        self.message = message
        self.range = range
        self.details = details
    }

    /// The sentence.
    public var description: String { message }

    static let unauthorized = InspectorError(
        .unauthorized, "Open the address that the command printed; it has the token that lets you in.")
}

extension InspectorError: Equatable {
    /// Whether status, sentence and range are the same.
    public static func == (left: InspectorError, right: InspectorError) -> Bool {
        left.status == right.status && left.message == right.message && left.range == right.range
    }
}
#endif
