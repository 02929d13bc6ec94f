#if Inspector
import EventStreams
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import OpenCoreData
import ServiceLifecycle
import StoreTools

/// A server of the inspector alone, which only this machine can reach.
package struct InspectorServer: Sendable {
    private let routes: InspectorRoutes
    private let port: Int

    /// How long a request may take to be complete, and a connection to begin with one.
    private static let requestTimeout = Duration.seconds(15)

    /// Opens a store with its own model, or the one at `modelPath`.
    ///
    /// - Parameters:
    ///   - port: Where to listen; 0 for any free port.
    ///   - isWritable: Whether objects can be edited. Otherwise no file changes.
    /// - Throws: When the store cannot be opened.
    package init(storePath: String, modelPath: String?, port: Int, isWritable: Bool) throws {
        let (session, classNames) = try Self.session(storePath, modelPath, isWritable: isWritable)
        let coordinator = session.coordinator
        let store = InspectedStore(
            currentCoordinator: { coordinator }, modelOrigin: session.source.description, isWritable: isWritable,
            classNames: classNames)
        routes = InspectorRoutes(store, access: InspectorAccess())
        self.port = port
    }

    /// Classes of the program that wrote the store are not here.
    private static func session(
        _ storePath: String, _ modelPath: String?, isWritable: Bool
    ) throws -> (StoreSession, classNames: [String: String]) {
        let address = try StoreAddress(existing: storePath)
        let url = address.url
        let source = try ModelSource(storeURL: url, modelPath: modelPath, reconstructs: !isWritable)
            .adoptingHashes(ofStoreAt: url)
        let session = try StoreSession(
            url: url, source: source.replacingClasses(with: isWritable ? EditedObject.self : NSManagedObject.self),
            access: isWritable ? .writing : .reading,
            // Changes of a file show in the file.
            announces: address.server != nil)
        let classNames = source.model.entities.map { ($0.displayName, $0.managedObjectClassName ?? "NSManagedObject") }
        return (session, Dictionary(classNames, uniquingKeysWith: { first, _ in first }))
    }

    /// Serves until the task is cancelled or the process is asked to end.
    ///
    /// - Parameter onReady: Called with the address to open once it is served.
    /// - Throws: When the port is taken.
    package func run(onReady: @escaping @Sendable (String) -> Void) async throws {
        let router = Router()
        routes.addRoutes(to: router)
        // Addresses have the token in them: nothing of a request is logged.
        var logger = Logger(label: "inspector")
        logger.logLevel = .critical
        let token = routes.access.token?.string ?? ""
        let application = Application(
            router: router,
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [RequestDeadline(Self.requestTimeout)],
                    idleTimeout: TimeAmount(Self.requestTimeout))),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                onReady("http://127.0.0.1:\(channel.localAddress?.port ?? 0)/?token=\(token)")
            },
            logger: logger)
        do {
            try await application.runService()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw ToolFailure(
                "The port \(port) is already in use, perhaps by another inspector; leave out --port, or name another.",
                cause: error)
        } catch let error as IOError {
            let reason = SystemFailure(number: error.errnoCode)
            throw ToolFailure("The port \(port) can't be used: \(reason).", cause: error)
        }
    }
}
#endif
