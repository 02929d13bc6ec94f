/// Writes a JSON array element by element, one element per line.
package struct JSONListWriter {
    private let output: any TextOutput
    private var isEmpty = true

    package init(_ output: any TextOutput) {
        self.output = output
    }

    package mutating func append(_ value: JSONValue) throws {
        try output.write(isEmpty ? "[\n" : ",\n")
        isEmpty = false
        try output.write(JSONText.text(of: value))
    }

    /// Ends the array; no line end follows.
    package func finish() throws {
        try output.write(isEmpty ? "[]" : "\n]")
    }
}
