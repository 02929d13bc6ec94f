/// What the operations of everyday use ask for, beyond the agreed workload: the same numbers for every implementation.
extension Library {
    /// How many screens `screen` shows.
    public static let screenCount = 1000
    /// How many rows a screen has.
    public static let screenRows = 20
    /// How many walks `walk` makes.
    public static let walkCount = 200
    /// How many steps a walk has.
    public static let walkLength = 5
    /// `cascade` deletes one author of so many.
    public static let cascadeStep = 10

    /// The first row of each screen, in the order of ISBNs.
    public static func screenOffsets(bookCount: Int) -> [Int] {
        (1...screenCount).map { Int(SplitMix64.number(seed: 4, index: UInt64($0)) % UInt64(bookCount - screenRows)) }
    }

    /// The number of the book that each walk starts at.
    public static func walkStarts(bookCount: Int) -> [Int] {
        (0..<walkCount).map { Int(SplitMix64.number(seed: 5, index: UInt64($0) + 1) % UInt64(bookCount)) }
    }

    /// The choices of each step, walk after walk.
    ///
    /// At a book the lowest bit says where the step goes: 0 to its author, 1 to its tags, whose names are read while the
    /// walk stays at the book. From an author a step goes to that of their books whose pages are the fewest when the choice's bits 1
    /// to 10 are flipped in them; of those with equally many, to the one with the smallest ISBN.
    public static func walkChoices() -> [UInt64] {
        (0..<walkCount * walkLength).map { SplitMix64.number(seed: 6, index: UInt64($0) + 1) }
    }

    /// What the choice of a step makes of a book's pages: the book with the least is gone to.
    public static func rank(pages: Int32, choice: UInt64) -> Int32 { pages ^ Int32((choice >> 1) & 1023) }
}
