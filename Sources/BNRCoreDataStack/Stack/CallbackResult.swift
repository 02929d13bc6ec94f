/// What a callback gets: what was asked for, or why there is none.
protocol CallbackResult {
    associatedtype Success

    static func success(_ value: Success) -> Self
    static func failure(_ error: any Swift.Error) -> Self
}

extension CallbackResult {
    /// Makes something and says what became of it.
    init(catching body: () throws -> Success) {
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
