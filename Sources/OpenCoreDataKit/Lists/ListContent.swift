public import Foundation

/// The rows of a list, as a surface reads them.
///
/// The content is the one that the last `reload` or `apply` announced, even if the list has changed since. So a surface
/// that takes its time always finds the numbers of rows and sections that it expects. After the list is released, the
/// content has no rows.
@MainActor public final class ListContent<Row> {
    private let sectionCount: @MainActor () -> Int
    private let rowCount: @MainActor (Int) -> Int
    private let sectionTitle: @MainActor (Int) -> String?
    private let makeRow: @MainActor (IndexPath) -> Row?

    /// Creates a content from functions.
    ///
    /// `rows`, `title` and `row` are called only with indexes that `sections` and `rows` allow, so they need no bounds
    /// checks of their own. They are called each time that the surface asks, and nothing is cached.
    ///
    /// - Parameters:
    ///   - sections: Returns the number of sections.
    ///   - rows: Returns the number of rows of a section.
    ///   - title: Returns the title of a section.
    ///   - row: Returns the row at an index path.
    public init(
        sections: @escaping @MainActor () -> Int, rows: @escaping @MainActor (_ section: Int) -> Int,
        title: @escaping @MainActor (_ section: Int) -> String? = { _ in nil },
        row: @escaping @MainActor (IndexPath) -> Row?
    ) {
        sectionCount = sections
        rowCount = rows
        sectionTitle = title
        makeRow = row
    }

    /// Creates an empty content.
    ///
    /// Its section and row counts are 0 for good. To show rows later, give the surface another content.
    public convenience init() {
        self.init(sections: { 0 }, rows: { _ in 0 }, row: { _ in nil })
    }

    /// The number of sections.
    public var numberOfSections: Int { sectionCount() }

    /// The number of rows of a section; 0 if the section doesn't exist.
    ///
    /// The number matches what the list last told the surface, not the present state of the database.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The number of rows.
    public func numberOfRows(inSection section: Int) -> Int {
        section >= 0 && section < numberOfSections ? rowCount(section) : 0
    }

    /// The title of a section; `nil` if it has none.
    ///
    /// Like the rows, titles are those of the last `reload` or `apply`.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The title.
    public func title(ofSection section: Int) -> String? {
        section >= 0 && section < numberOfSections ? sectionTitle(section) : nil
    }

    /// Returns the row at an index path.
    ///
    /// A row is made for each call, so a surface that needs it several times should keep it. `nil` also means that the
    /// list of the content was released.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: The row, or `nil` if the index path is out of bounds.
    public func row(at indexPath: IndexPath) -> Row? {
        guard indexPath.count == 2, indexPath.row >= 0, indexPath.row < numberOfRows(inSection: indexPath.section)
        else {
            return nil
        }
        return makeRow(indexPath)
    }

    /// The number of rows of each section.
    public var counts: [Int] { (0..<numberOfSections).map { rowCount($0) } }

    /// All rows.
    public var rows: [[Row]] {
        counts.enumerated().map { section, count in
            (0..<count).compactMap { makeRow(IndexPath(row: $0, section: section)) }
        }
    }
}
