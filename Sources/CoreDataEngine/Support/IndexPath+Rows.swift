#if !canImport(Darwin)
public import Foundation

/// Index paths of two indexes as tables and collections use them. UIKit and AppKit have the same on Apple's platforms.
extension IndexPath {
    /// Creates an index path of a section and a row of a table.
    ///
    /// A fetched results controller's `object(at:)` takes it.
    ///
    /// - Parameters:
    ///   - row: The index of the object in its section.
    ///   - section: The index of the section.
    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    /// Creates an index path of a section and an item of a collection.
    ///
    /// A fetched results controller's `object(at:)` takes it.
    ///
    /// - Parameters:
    ///   - item: The index of the object in its section.
    ///   - section: The index of the section.
    public init(item: Int, section: Int) {
        self.init(indexes: [section, item])
    }

    /// The section: the first index.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The row of a table: the second index.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The item of a collection: the second index.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
#endif
