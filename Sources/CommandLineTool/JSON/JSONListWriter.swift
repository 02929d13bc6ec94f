/// Writes a JSON array element by element, one element per line.
struct JSONListWriter {
    private let output: OutputSink
    private var isEmpty = true

    init(_ output: OutputSink) {
        self.output = output
    }

    mutating func append(_ value: JSONValue) throws {
        try output.write(isEmpty ? "[\n" : ",\n")
        isEmpty = false
        try output.write(JSONText.text(of: value))
    }

    /// Ends the array; no line end follows.
    func finish() throws {
        try output.write(isEmpty ? "[]" : "\n]")
    }
}
