/// Writes a JSON array element by element, one element per line.
package struct JSONListWriter {
    private let output: any TextOutput
    private var isEmpty = true
    private var bytes: [UInt8] = []

    package init(_ output: any TextOutput) {
        self.output = output
    }

    package mutating func append(_ value: JSONValue) throws {
        try output.write(isEmpty ? "[\n" : ",\n")
        isEmpty = false
        try output.write(JSONText.string(of: value))
    }

    /// Writes the bytes of an element that `write` appends.
    package mutating func append(_ write: (inout [UInt8]) -> Void) throws {
        bytes.removeAll(keepingCapacity: true)
        JSONBytes.append(isEmpty ? "[\n" : ",\n", to: &bytes)
        isEmpty = false
        write(&bytes)
        try output.write(bytes)
    }

    /// Ends the array; no line end follows.
    package func finish() throws {
        try output.write(isEmpty ? "[]" : "\n]")
    }
}
