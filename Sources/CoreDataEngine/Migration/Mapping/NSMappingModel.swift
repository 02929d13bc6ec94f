public import Foundation

/// How a store of one model becomes a store of another: one entity mapping after the other.
///
/// Not safe to use from several threads at once.
open class NSMappingModel: NSObject {
    /// Makes a mapping model without mappings.
    public override init() {}

    /// The mappings in the order in which they are carried out.
    open var entityMappings: [NSEntityMapping]! = []

    /// The mappings by name; of several with one name the first.
    open var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary(
            (entityMappings ?? []).compactMap { mapping in mapping.name.map { ($0, mapping) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Whether the mapping model came from comparing two models.
    package final var isInferred = false

    /// Whether another object is a mapping model with the same mappings in the same order.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSMappingModel else { return false }
        return self === other || (entityMappings ?? []) == (other.entityMappings ?? [])
    }

    open override var hash: Int { entityMappings?.count ?? 0 }

    open override var description: String {
        "<NSMappingModel: \((entityMappings ?? []).map(\.description).joined(separator: ", "))>"
    }
}
