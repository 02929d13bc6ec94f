public import OpenCoreDataKit

/// Keeps a collection in step with what a provider has.
///
/// A batch begins when the one before is complete. Whoever shows the collection keeps the data source, which keeps the
/// provider; collection and delegate are held weakly. For the main queue alone.
@MainActor
public final class CollectionViewDataSource<Delegate: DataSourceDelegate, Provider: DataProvider>:
    CellDataSource<Delegate, Provider>
where Provider.Object == Delegate.Object, Provider.Object: AnyObject {
    /// Fills a collection.
    ///
    /// - Parameters:
    ///   - collectionView: The collection.
    ///   - dataProvider: Where the objects come from. Its delegate hands their changes to `processUpdates(updates:)`.
    ///   - delegate: Makes the cells.
    public init<Cell: AnyObject>(collectionView: some CellSurface<Cell>, dataProvider: Provider, delegate: Delegate) {
        super.init(collectionView, dataProvider: dataProvider, delegate: delegate, movesCells: true)
    }
}
