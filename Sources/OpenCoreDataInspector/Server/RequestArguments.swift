#if Inspector
import HTTPTypes
import Hummingbird

/// What stands behind the question mark of a request.
struct RequestArguments: Sendable {
    private let values: [String: String]

    init(_ request: Request) {
        values = Dictionary(
            request.uri.queryParameters.map { (String($0.key), String($0.value)) },
            uniquingKeysWith: { first, _ in first })
    }

    init(_ values: [String: String]) { self.values = values }

    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// A value that must be there.
    func required(_ name: String) throws -> String {
        guard let value = self[name] else {
            throw InspectorError(.badRequest, "The request lacks the argument \(name).")
        }
        return value
    }

    /// A number in a range.
    func number(_ name: String, in range: ClosedRange<Int>, default fallback: Int) throws -> Int {
        guard let string = self[name] else { return fallback }
        guard let number = Int(string), range.contains(number) else {
            throw InspectorError(
                .badRequest,
                "\(name) must be a number from \(range.lowerBound) to \(range.upperBound), not \(string).")
        }
        return number
    }

    /// A list separated by commas.
    func list(_ name: String) -> [String] {
        (self[name] ?? "").split(separator: ",").map(String.init)
    }
}
#endif
