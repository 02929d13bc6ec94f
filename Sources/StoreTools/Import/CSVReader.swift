/// Reads comma-separated values as RFC 4180 has them; what `CSVText` writes comes back.
struct CSVReader {
    private var input: JSONInput

    /// A reader over `chunk`, which gives the next bytes, and nil or nothing at the end.
    init(chunk: @escaping () throws -> [UInt8]?) {
        input = JSONInput(chunk: chunk)
    }

    var offset: Int { input.offset }

    /// The next record; a field that is empty and not quoted is nil. Nil at the end.
    ///
    /// - Throws: `JSONSyntaxError` that says where the mistake is.
    mutating func record() throws -> [String?]? {
        guard try input.peek() != nil else { return nil }
        var fields: [String?] = []
        while true {
            fields.append(try field())
            if try input.take(UInt8(ascii: ",")) { continue }
            _ = try input.take(UInt8(ascii: "\r"))
            if try input.peek() == nil { return fields }
            guard try input.takeLineEnd() else { throw input.error("a comma or the end of the line should be here") }
            return fields
        }
    }

    private mutating func field() throws -> String? {
        var bytes: [UInt8] = []
        guard try input.take(UInt8(ascii: "\"")) else {
            while let byte = try input.peek(), byte != UInt8(ascii: ","), byte != UInt8(ascii: "\n"),
                byte != UInt8(ascii: "\r")
            {
                guard byte != UInt8(ascii: "\"") else { throw input.error("there is a quotation mark inside a field") }
                bytes.append(byte)
                _ = try input.next()
            }
            return bytes.isEmpty ? nil : try string(bytes)
        }
        while true {
            switch try input.next() {
            case UInt8(ascii: "\"")?:
                guard try input.take(UInt8(ascii: "\"")) else { return try string(bytes) }
                bytes.append(UInt8(ascii: "\""))
            case let byte?: bytes.append(byte)
            case nil: throw input.error("the file ends inside a quoted field")
            }
            guard bytes.count <= JSONPullParser.maximumStringLength else { throw input.error("this field is too long") }
        }
    }

    private func string(_ bytes: [UInt8]) throws -> String {
        guard let string = String(validating: bytes, as: UTF8.self) else {
            throw input.error("this is not valid UTF-8")
        }
        return string
    }
}
