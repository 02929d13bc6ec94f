import Foundation

/// Refuses inheritance that a model cannot have, before entities are linked.
enum InheritanceCheck {
    /// More levels than any real model has, and few enough to walk through recursively.
    private static let mostLevels = 200

    /// Checks the inheritance of entities.
    ///
    /// - Parameters:
    ///   - parents: The index of each entity's superentity, by the entity's index.
    ///   - name: Returns the name of an entity.
    /// - Throws: a `CocoaError` that names an entity that inherits from itself, or over too many levels.
    static func run(parents: [Int: Int], name: (Int) -> String) throws {
        for start in parents.keys.sorted() {
            var current = start
            var levels = 0
            while let next = parents[current] {
                levels += 1
                if next == start { throw ModelError.invalid("The entity '\(name(start))' inherits from itself.") }
                guard levels <= mostLevels else {
                    throw ModelError.invalid(
                        "The entity '\(name(start))' inherits over more than \(mostLevels) levels, or from an entity "
                            + "that inherits from itself.")
                }
                current = next
            }
        }
    }
}
