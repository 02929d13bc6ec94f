/// The links of a relationship, added up: two sums of the same links are equal in any order, and those of others differ
/// but for a chance of one in 2^128.
struct LinkSum: Equatable {
    private var first: UInt64 = 0
    private var second: UInt64 = 0

    /// Adds the link between two rows.
    mutating func add(_ source: Int64, _ destination: Int64) {
        let link = Self.mixed(Self.mixed(UInt64(bitPattern: source)) &+ UInt64(bitPattern: destination))
        first &+= link
        second &+= Self.mixed(link ^ 0x5851_F42D_4C95_7F2D)
    }

    /// The finalizer of SplitMix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ value &>> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value &>> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value &>> 31
    }
}

/// A relationship and its inverse, and what the input says about the links between their objects.
///
/// A store keeps most relationships once for both sides. Where the sides contradict each other, only one could be kept.
final class LinkedSides {
    /// One of the two sides.
    struct Side {
        let isToMany: Bool
        let isOrdered: Bool
        /// How many objects say something about the relationship, and how many don't.
        var saying = 0
        var silent = 0
        var links = LinkSum()

        var isComplete: Bool { silent == 0 }
    }

    private(set) var sides: [Side]
    /// Whether a relationship is its own inverse.
    let isOne: Bool

    init(_ first: Side, _ second: Side, isOne: Bool) {
        sides = [first, second]
        self.isOne = isOne
    }

    /// Whether each side is kept in a column of its own, so that a link may be there for one of the objects only.
    var isOneToOne: Bool { sides.allSatisfy { !$0.isToMany } }

    /// Whether each object of both entities says what its side is.
    var isComplete: Bool { sides.allSatisfy(\.isComplete) }

    /// Notes whether an object says what its side of the relationship is.
    func count(_ side: Int, says: Bool) {
        for index in isOne ? [0, 1] : [side] {
            if says { sides[index].saying += 1 } else { sides[index].silent += 1 }
        }
    }

    func add(_ side: Int, _ source: Int64, _ destination: Int64) {
        if side == 0 || isOne { sides[0].links.add(source, destination) }
        if side == 1 || isOne { sides[1].links.add(destination, source) }
    }

    /// Whether it takes another look at the input to know that what it says is what the store has.
    var mayContradict: Bool {
        if isComplete { return !isOneToOne && sides[0].links != sides[1].links }
        let saying = sides.filter { $0.saying > 0 }
        guard saying.count == 1, let only = saying.first else { return !saying.isEmpty }
        // The other side follows from it, unless two objects could want the same one.
        let other = sides[sides[0].saying > 0 ? 1 : 0]
        return !only.isComplete || !other.isToMany
    }
}
