/// What one store answered.
package struct StoreAnswer<Rows> {
    package let store: any RowStore
    package let rows: Rows
    /// Where other contexts that read the same find the rows.
    let rowCache: RowCache
    /// From before the rows were read.
    let moment: RowCache.Moment
    /// What keeps the objects of rows without values alive, where a store answered with objects.
    var objects: [NSManagedObject] = []
}
