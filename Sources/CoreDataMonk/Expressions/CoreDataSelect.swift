public import OpenCoreDataKit

/// What `query` returns: properties, expressions and aggregates, joined with `|`.
public struct CoreDataSelect {
    /// One column of the result.
    enum Target {
        case property(String)
        case expression(NSExpressionDescription)
        case function(Function, key: String, alias: String)
    }

    /// What is computed. The kit's type of the same name depends on the class of the objects.
    typealias Function = Aggregate<NSManagedObject>.Function

    let targets: [Target]

    /// The values of properties, under their names; paths through to-one relationships under the path.
    ///
    /// Next to aggregates, a property has to be one that is grouped by. A relationship gives the identifier of the
    /// related object.
    ///
    /// - Parameter names: The names or paths.
    /// - Returns: The columns.
    public static func select(_ names: String...) -> CoreDataSelect {
        CoreDataSelect(targets: names.map { .property($0) })
    }

    /// The value of an expression, under its name.
    ///
    /// A result type that the description leaves out is found for key paths and functions of one key path.
    ///
    /// - Parameter description: The expression, its name and its result type.
    /// - Returns: The column.
    public static func expression(_ description: NSExpressionDescription) -> CoreDataSelect {
        CoreDataSelect(targets: [.expression(description)])
    }

    /// The average.
    ///
    /// Objects without a value don't count, and without any value the row has none. Properties that aren't numbers make
    /// the query throw.
    ///
    /// - Parameters:
    ///   - key: The property, or a path through to-one relationships.
    ///   - alias: The name of the column; the key if left out.
    /// - Returns: The column.
    public static func average(_ key: String, alias: String? = nil) -> CoreDataSelect { make(.average, key, alias) }

    /// The sum; 0 of nothing.
    ///
    /// Integers add up to an integer, and decimals to an exact decimal. Properties that aren't numbers make the query
    /// throw.
    ///
    /// - Parameters:
    ///   - key: The property, or a path through to-one relationships.
    ///   - alias: The name of the column; the key if left out.
    /// - Returns: The column.
    public static func sum(_ key: String, alias: String? = nil) -> CoreDataSelect { make(.sum, key, alias) }

    /// The standard deviation of the whole population.
    ///
    /// A single value has a deviation of 0; without any value the row has none.
    ///
    /// - Parameters:
    ///   - key: The property, or a path through to-one relationships.
    ///   - alias: The name of the column; the key if left out.
    /// - Returns: The column.
    public static func stdDev(_ key: String, alias: String? = nil) -> CoreDataSelect {
        make(.standardDeviation, key, alias)
    }

    /// The smallest value.
    ///
    /// Works for numbers, dates, strings and other attributes with an order. Without any value the row has none.
    ///
    /// - Parameters:
    ///   - key: The property, or a path through to-one relationships.
    ///   - alias: The name of the column; the key if left out.
    /// - Returns: The column.
    public static func min(_ key: String, alias: String? = nil) -> CoreDataSelect { make(.minimum, key, alias) }

    /// The greatest value.
    ///
    /// Works for numbers, dates, strings and other attributes with an order. Without any value the row has none.
    ///
    /// - Parameters:
    ///   - key: The property, or a path through to-one relationships.
    ///   - alias: The name of the column; the key if left out.
    /// - Returns: The column.
    public static func max(_ key: String, alias: String? = nil) -> CoreDataSelect { make(.maximum, key, alias) }

    /// The value in the middle; of an even number of numbers, the mean of the two in the middle.
    ///
    /// Of an even number of dates or strings, it is the lower of the two in the middle.
    ///
    /// - Parameters:
    ///   - key: The property, or a path through to-one relationships.
    ///   - alias: The name of the column; the key if left out.
    /// - Returns: The column.
    public static func median(_ key: String, alias: String? = nil) -> CoreDataSelect { make(.median, key, alias) }

    /// How many values there are; objects without one don't count.
    ///
    /// Equal values count separately.
    ///
    /// - Parameters:
    ///   - key: The property, or a path through to-one relationships.
    ///   - alias: The name of the column; the key if left out.
    /// - Returns: The column.
    public static func count(_ key: String, alias: String? = nil) -> CoreDataSelect { make(.count, key, alias) }

    private static func make(_ function: Function, _ key: String, _ alias: String?) -> CoreDataSelect {
        CoreDataSelect(targets: [.function(function, key: key, alias: alias ?? key)])
    }

    /// The columns of both.
    ///
    /// Two columns of the same name make the query throw; give one of them an alias.
    ///
    /// ```swift
    /// let columns: CoreDataSelect = .select("city") | .average("age", alias: "mean")
    /// ```
    ///
    /// - Parameters:
    ///   - left: Some columns.
    ///   - right: Further columns.
    /// - Returns: All columns.
    public static func | (left: CoreDataSelect, right: CoreDataSelect) -> CoreDataSelect {
        CoreDataSelect(targets: left.targets + right.targets)
    }

    /// The columns as the kit has them.
    func columns<T: NSManagedObject>(of type: T.Type) -> [Aggregate<T>] {
        targets.map { target in
            switch target {
            case .property(let name): .field(named: name)
            case .expression(let description): .expression(description)
            case .function(let function, let key, let alias):
                Aggregate(Aggregate<T>.Function(rawValue: function.rawValue) ?? .count, of: key, as: alias)
            }
        }
    }

    /// Whether every column is a property of an object.
    var isPlain: Bool {
        targets.allSatisfy { if case .property = $0 { true } else { false } }
    }
}
