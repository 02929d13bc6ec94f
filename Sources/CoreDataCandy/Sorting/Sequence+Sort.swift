import OpenCoreDataKit

extension Sequence where Element: DatabaseModel {
    /// The models in an order of their objects' attributes, read now; the next sort decides where one finds no difference.
    ///
    /// Objects without a value come last in both directions. Runs on the queue of the first model's context, so all
    /// models should belong to that context.
    ///
    /// - Parameters:
    ///   - sort: How to order the models.
    ///   - more: What decides where the first sort finds no difference.
    /// - Returns: The sorted models.
    public func sorted(by sort: Sort<Element.Entity>, _ more: Sort<Element.Entity>...) -> [Element] {
        sorted(by: [sort] + more)
    }

    /// The models in an order of their objects' attributes, read now; as they are without sorts.
    ///
    /// Objects without a value come last in both directions. Runs on the queue of the first model's context.
    ///
    /// - Parameter sorts: How to order the models; each decides where those before find no difference.
    /// - Returns: The sorted models.
    public func sorted(by sorts: [Sort<Element.Entity>]) -> [Element] {
        let models = Array(self)
        guard !sorts.isEmpty, let first = models.first else { return models }
        return first.onQueue {
            models.sorted { left, right in
                for sort in sorts {
                    let order = sort.compare(left.entity, right.entity)
                    if order != .orderedSame { return order == .orderedAscending }
                }
                return false
            }
        }
    }
}
