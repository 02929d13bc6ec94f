public import Foundation

/// A computed column of a fetch request's result, or of an index.
// Descriptions are immutable once their model is in use, and confined to the code that builds them before that.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
    /// Creates a description without an expression.
    ///
    /// Set the name, ``expression`` and ``expressionResultType``, and add it to
    /// ``NSFetchRequestBase/propertiesToFetch`` of a request for dictionaries.
    ///
    /// ```swift
    /// let latest = NSExpressionDescription()
    /// latest.name = "latest"
    /// latest.expression = NSExpression(format: "max(year)")
    /// latest.expressionResultType = .integer64AttributeType
    /// request.propertiesToFetch = [latest]
    /// ```
    public override init() {
        super.init()
    }

    /// Creates a description from an archive.
    ///
    /// The expression is read with it.
    ///
    /// - Parameter coder: a keyed unarchiver.
    /// - Returns: nil when the archive holds no description of this kind.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The expression that gives the value.
    open var expression: NSExpression? {
        willSet { requireEditable() }
    }

    /// The type of the value. The default is `.undefinedAttributeType`.
    open var expressionResultType: NSAttributeType = .undefinedAttributeType {
        willSet { requireEditable() }
    }

    /// The same as ``expressionResultType`` in the spelling of newer code.
    open var resultType: NSAttributeDescription.AttributeType {
        get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
        set { expressionResultType = newValue.rawValue }
    }

    package override func makeEmptyCopy() -> NSPropertyDescription { NSExpressionDescription() }

    package override func copyState(to copy: NSPropertyDescription) {
        super.copyState(to: copy)
        guard let copy = copy as? NSExpressionDescription else { return }
        copy.expression = expression
        copy.expressionResultType = expressionResultType
    }
}
