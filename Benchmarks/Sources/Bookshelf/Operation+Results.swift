extension Operation {
    /// The result that every implementation must print for `bookCount` books, where one is agreed.
    public func expectedResult(bookCount: Int) -> String? {
        switch (self, bookCount) {
        case (.insert, _), (.insertTags, _), (.fetchIDs, _), (.fetchFaults, _): "\(bookCount)"
        case (.fetchTouch, 10_000): "38527380"
        case (.fetchTouch, 100_000): "389075364"
        case (.fetchTouch, 1_000_000): "3898169045"
        case (.byKey, 10_000), (.byIDMiss, 10_000), (.byIDHit, 10_000): "5457521"
        case (.byKey, 100_000), (.byIDMiss, 100_000), (.byIDHit, 100_000): "5468167"
        case (.predicate, 10_000): "170:126174"
        case (.predicate, 100_000): "1000:730985"
        case (.traverse, 10_000), (.traversePrefetch, 10_000): "5457521"
        case (.traverse, 100_000), (.traversePrefetch, 100_000): "54770765"
        case (.update, _): "\((bookCount + 6) / 10)"
        case (.delete, 10_000): "9000:27000"
        case (.delete, 100_000): "90000:270000"
        case (.aggregate, 10_000): "3:4268:9104"
        case (.aggregate, 100_000): "6:65642:18440"
        case (.saveSmall, _): "\(bookCount + Library.extraBookCount)"
        case (.match, 10_000): "897"
        case (.match, 100_000): "9057"
        default: nil
        }
    }
}
