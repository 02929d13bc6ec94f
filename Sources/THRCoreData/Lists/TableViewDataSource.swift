public import OpenCoreDataKit

/// Keeps a table in step with the objects of a provider.
///
/// Keep a reference to the data source, which holds the provider; table and delegate are held weakly. Use it on the
/// main queue only.
@MainActor
public final class TableViewDataSource<Delegate: DataSourceDelegate, Provider: DataProvider>:
    CellDataSource<Delegate, Provider>
where Provider.Object == Delegate.Object, Provider.Object: AnyObject {
    /// Fills a table. A cell that moves goes and comes.
    ///
    /// The table shows the provider's objects before this returns. A delegate whose cells have another class than the
    /// table's stops the program when the first cell is made.
    ///
    /// - Parameters:
    ///   - tableView: The table.
    ///   - dataProvider: Where the objects come from. Its delegate hands their changes to `processUpdates(updates:)`.
    ///   - delegate: Makes the cells.
    public init<Cell: AnyObject>(tableView: some CellSurface<Cell>, dataProvider: Provider, delegate: Delegate) {
        super.init(tableView, dataProvider: dataProvider, delegate: delegate, movesCells: false)
    }
}
