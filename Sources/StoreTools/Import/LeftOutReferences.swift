/// What an import left out because it is not in the input.
package struct LeftOutReferences {
    /// More are counted, but not described.
    private static let limit = 100

    package private(set) var count = 0
    /// A sentence for each of the first references.
    package private(set) var sentences: [String] = []

    mutating func append(_ sentence: String) {
        count += 1
        if sentences.count < Self.limit { sentences.append(sentence) }
    }
}
