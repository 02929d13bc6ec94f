/// A column of a ``Summary``: a function over the objects of a group, or a plain property.
public struct Aggregate<T: NSManagedObject> {
    /// A function over the values of a property. Missing values are ignored.
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
        /// The number of values.
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
    /// Nothing is checked until the summary is run. Running it throws ``DatabaseError/invalidQuery(entity:reason:)`` if
    /// the path leads over a to-many relationship, to a transient, transformable or composite attribute, or to a type
    /// that the function can't compute.
    ///
    /// - Parameters:
    ///   - function: The function.
    ///   - path: The property's name, or a path over to-one relationships.
    ///   - name: The column's name; the property's if omitted.
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
    /// Objects without a value aren't counted. The result is a `Double`, or a `Decimal` for decimal attributes, and
    /// `nil` if no object has a value. Properties that aren't numbers make the summary throw.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func average(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self {
        Self(.average, keyPath, name)
    }

    /// The sum of a property.
    ///
    /// Without values, the sum is 0. Integers add up to an integer and decimals to an exact decimal;
    /// other numbers become a `Double`.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func sum(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self { Self(.sum, keyPath, name) }

    /// The smallest value of a property.
    ///
    /// Works for numbers, dates, strings and other attributes with an order, but not for binary data and relationships.
    /// The value is `nil` if no object has one.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func min(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self {
        Self(.minimum, keyPath, name)
    }

    /// The largest value of a property.
    ///
    /// The value has the type of the property, and is `nil` if no object has one. Binary data and relationships make
    /// the summary throw.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func max(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self {
        Self(.maximum, keyPath, name)
    }

    /// The median of a property.
    ///
    /// Works for numbers, dates and strings. Of an even number of values it is the mean of the middle two for numbers,
    /// and the lower of the two for dates and strings.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func median(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self {
        Self(.median, keyPath, name)
    }

    /// The standard deviation of a property, as of a whole population.
    ///
    /// Works for numbers only. A single value has a deviation of 0; without values the result is `nil`.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func standardDeviation(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self {
        Self(.standardDeviation, keyPath, name)
    }

    /// The number of objects that have a value.
    ///
    /// Use ``count(as:)`` to count all objects, with and without a value. Equal values count separately.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func count(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self {
        Self(.count, keyPath, name)
    }

    /// The number of objects.
    ///
    /// In a group, these are the objects of the group. Two columns must not have the same name, so give one of them
    /// another if you count several things.
    ///
    /// - Parameter name: The name of the column.
    public static func count(as name: String = "count") -> Self { Self(.function(.count, path: nil), name: name) }

    /// The property itself.
    ///
    /// Next to computed columns, a plain property has to be one of those that the summary is grouped by; running the
    /// summary throws otherwise. A to-one relationship gives the object's identifier.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    public static func field(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Self {
        Self(keyPath, as: name) { .property(path: $0) }
    }

    /// The property itself, by name or by a path over to-one relationships.
    ///
    /// For models without generated classes. An unknown name throws ``DatabaseError/invalidQuery(entity:reason:)`` when
    /// the summary is run, with the names that the entity has.
    ///
    /// - Parameters:
    ///   - path: The name or the path.
    ///   - name: The name of the column; by default the path.
    public static func field(named path: String, as name: String? = nil) -> Self {
        Self(.property(path: path), name: name ?? path)
    }

    /// A computed column.
    ///
    /// For what the other functions don't offer. If the type is missing and can't be derived, as for arithmetic,
    /// running the summary throws ``DatabaseError/invalidQuery(entity:reason:)`` that names the column.
    ///
    /// - Parameter description: The name and the expression. A missing result type is derived for a property and for a
    ///   function of one.
    public static func expression(_ description: NSExpressionDescription) -> Self {
        Self(.expression(description), name: description.name)
    }
}
