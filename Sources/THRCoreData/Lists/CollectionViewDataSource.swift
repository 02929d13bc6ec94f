public import OpenCoreDataKit

/// Keeps a collection in step with the objects of a provider.
///
/// A batch begins after the previous one is complete. Keep a reference to the data source, which holds the provider;
/// collection and delegate are held weakly. Use it on the main queue only.
@MainActor
public final class CollectionViewDataSource<Delegate: DataSourceDelegate, Provider: DataProvider>:
    CellDataSource<Delegate, Provider>
where Provider.Object == Delegate.Object, Provider.Object: AnyObject {
    /// Fills a collection.
    ///
    /// The collection shows the provider's objects before this returns. Cells that move are moved, not made again.
    ///
    /// - Parameters:
    ///   - collectionView: The collection.
    ///   - dataProvider: Where the objects come from. Its delegate hands their changes to `processUpdates(updates:)`.
    ///   - delegate: Makes the cells.
    public init<Cell: AnyObject>(collectionView: some CellSurface<Cell>, dataProvider: Provider, delegate: Delegate) {
        super.init(collectionView, dataProvider: dataProvider, delegate: delegate, movesCells: true)
    }
}
