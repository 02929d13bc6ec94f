/// The order in which Apple's framework goes through the properties of an entity when it makes join tables.
///
/// It is the order of a dictionary by name: the hash of a string, modulo a prime number that depends on how many entries
/// there are. The hash is that of the open-source CoreFoundation. Found by comparing with stores, where it explains the
/// order of join tables; names whose buckets collide are in order of name here.
struct PropertyDictionaryOrder {
    /// Sizes of a dictionary's table, and how many entries each takes.
    private static let sizes: [(size: UInt64, capacity: Int)] = [
        (3, 3), (7, 6), (13, 11), (23, 19), (41, 32), (71, 52), (127, 85), (191, 118), (251, 155), (383, 237),
        (631, 390), (1087, 672), (1723, 1065), (2803, 1732), (4523, 2795),
    ]

    private let size: UInt64

    /// - Parameter entity: The entity whose dictionary it is.
    init(of entity: NSEntityDescription) {
        let stored = entity.properties.filter(\.isPersistent)
        let toOnes = stored.count { ($0 as? NSRelationshipDescription)?.isToMany == false }
        // Beside the properties there are an entry for each foreign key and for the three columns of every table.
        let count = stored.count + toOnes + 3
        size = Self.sizes.first { $0.capacity >= count }?.size ?? 7283
    }

    func precedes(_ first: String, _ second: String) -> Bool {
        let buckets = (Self.hash(first) % size, Self.hash(second) % size)
        return buckets.0 == buckets.1 ? first.utf8.lexicographicallyPrecedes(second.utf8) : buckets.0 < buckets.1
    }

    /// CoreFoundation's hash of a string: all of a short one, beginning, middle and end of a long one.
    static func hash(_ string: String) -> UInt64 {
        let units = Array(string.utf16)
        let count = units.count
        var result = UInt64(count)
        if count <= 96 {
            add(units[...], to: &result)
        } else {
            add(units[..<32], to: &result)
            add(units[(count / 2 - 16)..<(count / 2 + 16)], to: &result)
            add(units[(count - 32)...], to: &result)
        }
        return result &+ (result << UInt64(count & 31))
    }

    private static func add(_ units: ArraySlice<UInt16>, to result: inout UInt64) {
        var rest = units
        while rest.count >= 4 {
            let four = rest.prefix(4).map(UInt64.init)
            result =
                result &* 67_503_105 &+ four[0] &* 16_974_593 &+ four[1] &* 66_049 &+ four[2] &* 257 &+ four[3]
            rest = rest.dropFirst(4)
        }
        for unit in rest { result = result &* 257 &+ UInt64(unit) }
    }
}
