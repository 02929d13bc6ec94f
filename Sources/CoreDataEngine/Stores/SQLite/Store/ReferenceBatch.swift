/// Lists of primary keys in statements.
///
/// A list has 1, 2, 4, … placeholders, so that there are few strings to prepare; the last key fills up what is left.
enum ReferenceBatch {
    /// Longer lists are spread over several statements.
    static let largest = 512

    /// Calls a block for parts of a list, with the number of placeholders to use for each.
    static func forEach(_ references: [Int64], _ body: (ArraySlice<Int64>, Int) throws -> Void) rethrows {
        var rest = references[...]
        while !rest.isEmpty {
            let batch = rest.prefix(largest)
            var count = 1
            while count < batch.count { count *= 2 }
            try body(batch, count)
            rest = rest.dropFirst(batch.count)
        }
    }
}

extension SQLiteStatement {
    /// Binds references; the last one is repeated to fill all placeholders.
    func bind(references: ArraySlice<Int64>, count: Int, startingAt first: Int32 = 1) throws {
        guard let last = references.last else { return }
        var index = first
        for reference in references {
            try bind(reference, at: index)
            index += 1
        }
        while index < first + Int32(count) {
            try bind(last, at: index)
            index += 1
        }
    }
}
