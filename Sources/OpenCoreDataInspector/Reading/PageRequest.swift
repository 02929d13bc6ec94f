#if Inspector
/// Which rows of a list are wanted, and what is known of the rows beside them.
struct PageRequest {
    /// An object that stands just before the page or just after it.
    struct Neighbor {
        let name: String
        /// How many objects have its value of the first sort key, from the far side up to it.
        let ties: Int
        let isBefore: Bool
    }

    let offset: Int
    let limit: Int
    var neighbor: Neighbor?
    /// How many objects the list has, as the page was last sent.
    var total: Int?

    init(offset: Int, limit: Int) {
        self.offset = offset
        self.limit = limit
    }

    /// Reads `offset` and `limit`, `after` or `before` with `ties`, and `total`.
    init(_ arguments: RequestArguments) throws {
        offset = try arguments.number("offset", in: 0...Int(Int32.max), default: 0)
        limit = try arguments.number("limit", in: 1...ObjectTable.mostRows, default: 100)
        let total = try arguments.number("total", in: 0...Int(Int32.max), default: 0)
        self.total = total == 0 ? nil : total
        let ties = try arguments.number("ties", in: 1...Int(Int32.max), default: 1)
        if let name = arguments["after"] {
            neighbor = Neighbor(name: name, ties: ties, isBefore: true)
        } else if let name = arguments["before"] {
            neighbor = Neighbor(name: name, ties: ties, isBefore: false)
        }
    }
}
#endif
