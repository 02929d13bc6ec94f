extension BatchAssignment {
    /// The value that a row gets.
    ///
    /// - Throws: What evaluating the expression throws, or that the value doesn't fit.
    func value(for row: InMemoryRow, in store: any RowStore) throws -> PropertyValue {
        switch value {
        case .constant(let value): return value
        case .expression(let expression):
            var computed = OptionalValue.flatten(try expression.value(with: row, variables: [:]))
            if target.isWhole, let number = computed.flatMap(SlotLayout.double(from:)),
                !(computed is any BinaryInteger), let whole = Int64(exactly: number.rounded(.towardZero))
            {
                computed = whole
            }
            return try target.batchValue(computed, in: store)
        }
    }
}

extension SlotLayout {
    fileprivate var isWhole: Bool {
        switch kind {
        case .integer16, .integer32, .integer64: true
        default: false
        }
    }
}
