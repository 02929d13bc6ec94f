public import Foundation

/// A property whose value is the result of a fetch request.
// Descriptions are immutable once their model is in use, and confined to the code that builds them before that.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
    /// Creates a fetched property without a request.
    ///
    /// It is transient. Set the name and ``fetchRequest`` before you give it to an entity. The request is executed each
    /// time the value is read.
    public override init() {
        super.init()
        isTransient = true
    }

    /// Creates a description from an archive.
    ///
    /// The request is read with it. The property belongs to no entity, so it can be given to one.
    ///
    /// - Parameter coder: a keyed unarchiver.
    /// - Returns: nil when the archive holds no description of this kind.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The request as the model keeps it.
    package final var template: FetchRequestTemplate? {
        willSet { requireEditable() }
    }

    package override func makeEmptyCopy() -> NSPropertyDescription { NSFetchedPropertyDescription() }

    package override func copyState(to copy: NSPropertyDescription) {
        super.copyState(to: copy)
        (copy as? NSFetchedPropertyDescription)?.template = template
    }
    /// The request whose result is the property's value. `$FETCH_SOURCE` represents the object.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        get { requestOfTemplate }
        set { requestOfTemplate = newValue }
    }
}
