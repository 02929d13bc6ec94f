/// The argument of a callback: a result or an error.
protocol CallbackResult {
    associatedtype Value

    static func success(_ value: Value) -> Self
    static func failure(_ error: any Swift.Error) -> Self
}

extension CallbackResult {
    /// Makes something and says what became of it.
    init(catching body: () throws -> Value) {
        do {
            self = .success(try body())
        } catch {
            self = .failure(error)
        }
    }
}

extension CoreDataStack.SetupResult: CallbackResult {}
extension CoreDataStack.BatchContextResult: CallbackResult {}
extension CoreDataStack.CoordinatorResult: CallbackResult {}
