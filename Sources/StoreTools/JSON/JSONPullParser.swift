import Foundation

/// Reads a JSON document piece by piece, so that a file of any size needs the memory of one value only.
///
/// Ask for one event after the other with `next()`, or for a whole value with `readValue()`. The parser accepts what
/// RFC 8259 describes and nothing else; whatever is wrong is thrown as a `JSONSyntaxError` that says where.
package struct JSONPullParser {
    package enum Event: Equatable {
        case beginObject
        case endObject
        case beginArray
        case endArray
        /// The name of the member whose value follows.
        case key(String)
        case scalar(JSONValue)
        /// The document is complete; nothing but white space followed.
        case endOfDocument
    }

    /// Deeper nesting than any export has, and far from the end of the stack.
    package static let maximumDepth = 128
    /// One string, which is also one value of a binary attribute in base64.
    package static let maximumStringLength = 1 << 30

    private enum Container {
        case object
        case array
    }

    /// What may come next.
    private enum Expectation {
        case value
        case valueOrEndOfArray
        case keyOrEndOfObject
        case key
        case commaOrEnd
        case endOfDocument
    }

    private var input: JSONInput
    private var containers: [Container] = []
    private var expectation = Expectation.value

    /// A parser over `chunk`, which gives the next bytes of the document, and nil or nothing at its end.
    package init(chunk: @escaping () throws -> [UInt8]?) {
        input = JSONInput(chunk: chunk)
    }

    /// A parser over a document in memory.
    package init(_ string: String) {
        var rest: [UInt8]? = Array(string.utf8)
        self.init(chunk: {
            defer { rest = nil }
            return rest
        })
    }

    /// How many bytes have been read; for progress.
    package var offset: Int { input.offset }

    /// The next event.
    package mutating func next() throws -> Event {
        try input.skipWhiteSpace()
        switch expectation {
        case .endOfDocument:
            guard try input.peek() == nil else { throw input.error("there is something after the end of the document") }
            return .endOfDocument
        case .value:
            return try beginValue()
        case .valueOrEndOfArray:
            if try input.take(UInt8(ascii: "]")) { return endContainer() }
            return try beginValue()
        case .keyOrEndOfObject:
            if try input.take(UInt8(ascii: "}")) { return endContainer() }
            return try key()
        case .key:
            return try key()
        case .commaOrEnd:
            return try commaOrEnd()
        }
    }

    /// The whole value that starts next.
    package mutating func readValue() throws -> JSONValue {
        try value(after: next())
    }

    /// The whole value whose first event was `event`.
    package mutating func value(after event: Event) throws -> JSONValue {
        switch event {
        case .scalar(let value):
            return value
        case .beginArray:
            var elements: [JSONValue] = []
            while true {
                let event = try next()
                if event == .endArray { return .array(elements) }
                elements.append(try value(after: event))
            }
        case .beginObject:
            return try restOfObject()
        case .endObject, .endArray, .key, .endOfDocument:
            throw input.error("a value is missing")
        }
    }

    /// The members that are left of an object whose beginning was read, as an object.
    package mutating func restOfObject() throws -> JSONValue {
        var members: [JSONMember] = []
        // A set costs more than a few comparisons.
        var names: Set<String>?
        while case .key(let key) = try next() {
            if members.count == 32 { names = Set(members.map(\.key)) }
            let isNew = names?.insert(key).inserted ?? !members.contains { $0.key == key }
            guard isNew else { throw input.error("the name \"\(key)\" appears twice") }
            members.append(JSONMember(key: key, value: try readValue()))
        }
        return .object(members)
    }

    /// Whether anything but white space follows, before the first event is asked for.
    package mutating func isAtDocument() throws -> Bool {
        try input.skipWhiteSpace()
        return try input.peek() != nil
    }

    /// Continues with the next of several documents in a row, such as one on each line.
    ///
    /// - Returns: Whether there is another document.
    package mutating func beginNextDocument() throws -> Bool {
        guard expectation == .endOfDocument else { throw input.error("a value is missing") }
        try input.skipWhiteSpace()
        guard try input.peek() != nil else { return false }
        expectation = .value
        return true
    }

    /// Passes over the value that starts next without keeping it.
    package mutating func skipValue() throws {
        var depth = 0
        repeat {
            switch try next() {
            case .beginArray, .beginObject: depth += 1
            case .endArray, .endObject: depth -= 1
            case .key, .scalar: break
            case .endOfDocument: throw input.error("a value is missing")
            }
        } while depth > 0
    }

    /// An error at the position that was read last.
    package func error(_ reason: String) -> JSONSyntaxError { input.error(reason) }

    // MARK: Structure

    private mutating func beginValue() throws -> Event {
        guard let byte = try input.peek() else { throw input.error("the document ends where a value should be") }
        switch byte {
        case UInt8(ascii: "{"):
            try open(.object, expecting: .keyOrEndOfObject)
            return .beginObject
        case UInt8(ascii: "["):
            try open(.array, expecting: .valueOrEndOfArray)
            return .beginArray
        default:
            let scalar = try input.scalar()
            endValue()
            return .scalar(scalar)
        }
    }

    private mutating func open(_ container: Container, expecting next: Expectation) throws {
        guard containers.count < Self.maximumDepth else {
            throw input.error("it is nested deeper than \(Self.maximumDepth) levels")
        }
        _ = try input.next()
        containers.append(container)
        expectation = next
    }

    private mutating func endContainer() -> Event {
        let container = containers.removeLast()
        endValue()
        return container == .object ? .endObject : .endArray
    }

    private mutating func endValue() {
        expectation = containers.isEmpty ? .endOfDocument : .commaOrEnd
    }

    private mutating func key() throws -> Event {
        guard try input.peek() == UInt8(ascii: "\"") else { throw input.error("the name of a member should be here") }
        let key = try input.string()
        try input.skipWhiteSpace()
        guard try input.take(UInt8(ascii: ":")) else { throw input.error("a colon should follow the name \"\(key)\"") }
        expectation = .value
        return .key(key)
    }

    private mutating func commaOrEnd() throws -> Event {
        let isObject = containers.last == .object
        if try input.take(UInt8(ascii: ",")) {
            expectation = isObject ? .key : .value
            return try next()
        }
        let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        guard try input.take(end) else {
            let close = isObject ? "}" : "]"
            throw input.error(
                try input.peek() == nil ? "the document is cut off" : "a comma or \"\(close)\" should be here")
        }
        return endContainer()
    }
}
