/// The destinations of a to-many relationship, owner by owner.
package struct ToManyRows {
    /// All destination rows, grouped by owner in the order of `owners`, ordered within an owner when the relationship is.
    package var rows: RowSlab
    /// For each owner that was requested: where its destinations stand in `rows`.
    package var ranges: [Range<Int>]

    package init(rows: RowSlab, ranges: [Range<Int>]) {
        self.rows = rows
        self.ranges = ranges
    }
}
