/// A set of kinds that a property of a model can be of: those of slots, and to-manys.
struct PropertyKinds: OptionSet, Sendable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    @inline(__always)
    init(_ kind: SlotKind) { rawValue = 1 << UInt32(kind.rawValue) }

    static let toMany = PropertyKinds(rawValue: 1 << 31)
    static let toOne = PropertyKinds(.toOne)
    static let string = PropertyKinds(.string)

    // What has the same form in a row.

    static let wholeNumbers: PropertyKinds = [
        PropertyKinds(.integer16), PropertyKinds(.integer32), PropertyKinds(.integer64), PropertyKinds(.boolean),
    ]
    static let realNumbers: PropertyKinds = [PropertyKinds(.double), PropertyKinds(.float), PropertyKinds(.date)]
    /// What `NSNumber` may represent.
    static let numbers: PropertyKinds = wholeNumbers.union([
        PropertyKinds(.double), PropertyKinds(.float), PropertyKinds(.decimal),
    ])
    /// What is taken out of the row as a value of its own type, and of no other.
    static let boxed: PropertyKinds = [
        PropertyKinds(.data), PropertyKinds(.uuid), PropertyKinds(.uri), PropertyKinds(.decimal),
    ]
    /// Attributes whose values may be of any class: they are reached by their name.
    static let keyed: PropertyKinds = [
        PropertyKinds(.transformable), PropertyKinds(.composite), PropertyKinds(.objectID), PropertyKinds(.undefined),
    ]
}
