import CampaignCore
import Foundation
import OpenCoreData

/// A value for a placeholder of a format string, of any type: right ones and wrong ones.
indirect enum FormatArgument: Codable {
    case null
    case integer(Int64)
    case natural(UInt64)
    case real(Double)
    case flag(Bool)
    case text(String)
    case date(Double)
    case data(Data)
    case uuid(String)
    case link(String)
    case decimal(String)
    case list([FormatArgument])
    case set([String])
    case record([String: FormatArgument])
    case object
    case expression(String)
    case predicate(String)
    case identifier(entity: Int, reference: Int64)

    /// The value; object identifiers are those of the store.
    func value(_ identifier: (Int, Int64) -> NSManagedObjectID?) -> Any {
        switch self {
        case .null: NSNull()
        case .integer(let value): value
        case .natural(let value): value
        case .real(let value): value
        case .flag(let value): value
        case .text(let value): value
        case .date(let value): Date(timeIntervalSinceReferenceDate: value)
        case .data(let value): value
        case .uuid(let value): UUID(uuidString: value) as Any
        case .link(let value): URL(string: value) as Any
        case .decimal(let value): (Decimal(string: value) ?? .nan) as Any
        case .list(let values): values.map { $0.value(identifier) }
        case .set(let values): Set(values)
        case .record(let values): values.mapValues { $0.value(identifier) }
        case .object: NSObject()
        case .expression(let format): NSExpression(format: format, argumentArray: [])
        case .predicate(let format): NSPredicate(format: format, argumentArray: nil)
        case .identifier(let entity, let reference): identifier(entity, reference) as Any? ?? NSNull()
        }
    }

    static func random(_ random: inout SplitMix64, depth: Int = 2) -> FormatArgument {
        switch random.below(depth > 0 ? 18 : 13) {
        case 0: .null
        case 1: .integer(random.pick([.min, -1, 0, 1, 2, 9, 100, .max, Int64(truncatingIfNeeded: random.next())]))
        case 2: .natural(random.pick([0, 1, .max, UInt64(Int64.max) + 1]))
        case 3:
            .real(
                random.pick([
                    0, -0.0, 1.5, -2.5, 1e308, -1e308, 1e-300, .nan, .infinity, -.infinity, 9.3e18,
                    9_007_199_254_740_992,
                ]))
        case 4: .flag(random.chance(50))
        case 5, 6: .text(random.chance(80) ? random.pick(SampleValues.texts) : Noise.string(&random, length: 12))
        case 7: .date(random.pick(SampleValues.dates + [1e300, -.infinity, .nan]))
        case 8: .data(Data(random.bytes(random.below(5))))
        case 9: .uuid(random.pick(SampleValues.identifiers))
        case 10: .link(random.pick(SampleValues.links))
        case 11:
            .decimal(
                random.pick(
                    SampleValues.decimals + ["NaN", "1e127", "-99999999999999999999999999999999999999", "1e-127"]))
        case 12: .identifier(entity: random.below(6), reference: Int64(random.below(8)))
        case 13: .list((0..<random.below(4)).map { _ in Self.random(&random, depth: depth - 1) })
        case 14: .set((0..<random.below(4)).map { _ in random.pick(SampleValues.texts) })
        case 15: .record(["a": Self.random(&random, depth: depth - 1), "b": .integer(1)])
        case 16: .object
        default: random.chance(50) ? .expression("1 + 2") : .predicate("TRUEPREDICATE")
        }
    }
}
