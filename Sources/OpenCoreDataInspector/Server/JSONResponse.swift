#if Inspector
import Foundation
import HTTPTypes
import Hummingbird
import StoreTools

/// Answers in JSON.
enum JSONResponse {
    static func make(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: JSONText.string(of: value))))
    }

    /// The response to a request that failed: a page if a person opens the address, JSON for the page's own
    /// requests.
    static func failure(_ error: any Error, for request: Request) -> Response {
        if let error = error as? InspectorError {
            if error == .unauthorized, request.headers[.accept]?.contains("text/html") == true {
                return PageFiles.unauthorized
            }
            return failure(error)
        }
        if let error = error as? HTTPError {
            return failure(InspectorError(error.status, error.body ?? error.status.reasonPhrase))
        }
        return failure(InspectorError(.unprocessableContent, Sentence.string(of: error)))
    }

    private static func failure(_ error: InspectorError) -> Response {
        var members: [JSONMember] = [JSONMember(key: "message", value: .string(error.message))]
        if let range = error.range {
            members.append(JSONMember(key: "position", value: JSONValue(range.lowerBound)))
            members.append(JSONMember(key: "length", value: JSONValue(range.count)))
        }
        if let details = error.details { members.append(JSONMember(key: "details", value: details)) }
        return make(["error": .object(members)], status: error.status)
    }
}
#endif
