/// A column of a ``Summary``: a function over the objects of a group, or a plain property.
public struct Aggregate<T: NSManagedObject> {
    /// What can be computed over the values of a property. Missing values count nowhere.
    public enum Function: String, Sendable {
        /// The mean.
        case average
        /// The sum; 0 for no values.
        case sum
        /// The smallest value.
        case minimum
        /// The largest value.
        case maximum
        /// The value in the middle; of an even number of values the mean of the middle two, or for dates and strings the
        /// lower one.
        case median
        /// The standard deviation of the values as a whole population.
        case standardDeviation
        /// How many values there are.
        case count
    }

    enum Content {
        /// A function over a property; `nil` counts the objects.
        case function(Function, path: String?)
        case property(path: String)
        case expression(NSExpressionDescription)
        case impossible(String)
    }

    let content: Content
    /// The name of the column in a ``Row``.
    public let name: String

    private init(_ content: Content, name: String) {
        self.content = content
        self.name = name
    }

    /// A function over a property.
    ///
    /// - Parameters:
    ///   - function: The function.
    ///   - path: The property's name, or a path over to-one relationships.
    ///   - name: The column's name; the property's when left out.
    public init(_ function: Function, of path: String, as name: String? = nil) {
        self.init(.function(function, path: path), name: name ?? path)
    }

    private init(_ keyPath: PartialKeyPath<T>, as name: String?, _ content: (String) -> Content) {
        do {
            let path = try PropertyPath.name(of: keyPath)
            self.init(content(path), name: name ?? path)
        } catch {
            self.init(.impossible(DatabaseError.sentence(error)), name: name ?? "\(keyPath)")
        }
    }

    private init(_ function: Function, _ keyPath: PartialKeyPath<T>, _ name: String?) {
        self.init(keyPath, as: name) { .function(function, path: $0) }
    }

    // MARK: Columns

    /// The mean of a property.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func average(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self {
        Self(.average, keyPath, name)
    }

    /// The sum of a property.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func sum(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self { Self(.sum, keyPath, name) }

    /// The smallest value of a property.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func min(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self {
        Self(.minimum, keyPath, name)
    }

    /// The largest value of a property.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func max(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self {
        Self(.maximum, keyPath, name)
    }

    /// The median of a property.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func median(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self {
        Self(.median, keyPath, name)
    }

    /// The standard deviation of a property, as of a whole population.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func standardDeviation(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self {
        Self(.standardDeviation, keyPath, name)
    }

    /// The number of objects that have a value.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func count(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self {
        Self(.count, keyPath, name)
    }

    /// The number of objects.
    ///
    /// - Parameter name: The name of the column.
    public static func count(as name: String = "count") -> Self { Self(.function(.count, path: nil), name: name) }

    /// The property itself.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func field(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self {
        Self(keyPath, as: name) { .property(path: $0) }
    }

    /// The property itself, by name or by a path over to-one relationships.
    ///
    /// - Parameters:
    ///   - path: The name or the path.
    ///   - name: The name of the column; by default the path.
    public static func field(named path: String, as name: String? = nil) -> Self {
        Self(.property(path: path), name: name ?? path)
    }

    /// A computed column.
    ///
    /// - Parameter description: The name and the expression. A missing result type is derived for a property and for a
    ///   function of one.
    public static func expression(_ description: NSExpressionDescription) -> Self {
        Self(.expression(description), name: description.name)
    }
}
