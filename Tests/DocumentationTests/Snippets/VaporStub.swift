/// The declarations of Vapor 4 that the guide uses, without their implementations: Vapor can't be fetched everywhere that
/// the tests run.

protocol Content: Codable, Sendable {}
extension Array: Content where Element: Content {}

protocol StorageKey { associatedtype Value: Sendable }

struct Storage {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    subscript<Key: StorageKey>(_ key: Key.Type) -> Key.Value? {
        get { values[ObjectIdentifier(key)] as? Key.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

protocol LifecycleHandler: Sendable {
    func shutdownAsync(_ application: Application) async
}

struct HTTPResponseStatus: Sendable {
    static let serviceUnavailable = HTTPResponseStatus()
}

struct Abort: Error {
    init(_ status: HTTPResponseStatus) {}
}

struct ContentContainer {
    func decode<D: Decodable>(_ type: D.Type) throws -> D { throw Abort(.serviceUnavailable) }
}

struct Request {
    let application: Application
    let content = ContentContainer()
}

final class Application {
    struct Lifecycle {
        private(set) var handlers: [any LifecycleHandler] = []
        mutating func use(_ handler: any LifecycleHandler) { handlers.append(handler) }
    }

    var storage = Storage()
    var lifecycle = Lifecycle()

    func get<R: Content>(_ path: String..., use closure: @escaping (Request) async throws -> R) {}
    func post<R: Content>(_ path: String..., use closure: @escaping (Request) async throws -> R) {}
}
