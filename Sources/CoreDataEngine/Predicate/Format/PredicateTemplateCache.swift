import Synchronization

/// The templates of the format strings that were used last.
///
/// May be used from any thread.
final class PredicateTemplateCache: Sendable {
    static let shared = PredicateTemplateCache()

    private let templates = Mutex<[String: PredicateTemplate]>([:])

    /// Programs have few format strings with placeholders. If a program generates them, the cache is emptied.
    private static let limit = 256

    func template(of format: String) -> PredicateTemplate? { templates.withLock { $0[format] } }

    func insert(_ template: PredicateTemplate, for format: String) {
        templates.withLock { templates in
            if templates.count >= Self.limit { templates.removeAll() }
            templates[format] = template
        }
    }
}
