#if CommandLineTool
import ArgumentParser
import Foundation
import StoreTools

/// The store that a command works on.
struct StoreArguments: ParsableArguments {
    @Argument(
        help:
            "The store: a file written by Core Data (SQLite, XML or binary), or postgresql://user@host/database?schema=name.",
        completion: .file())
    var store: String

    @Option(
        help: ArgumentHelp(
            "The model: .xcdatamodeld (or X.xcdatamodeld:VERSION), .xcdatamodel, .momd, .mom, or a store that contains one. "
                + "By default, the store's own; XML and binary stores contain no model.",
            valueName: "path"),
        completion: .file())
    var model: String?

    /// The files that are read: the store, and the model's.
    var files: [URL] {
        [store, model.map { ModelReference($0).path }].compactMap { $0 }.filter { !StoreAddress.isServer($0) }
            .map { URL(fileURLWithPath: $0) }
    }

    func session(_ access: StoreSession.Access) throws -> StoreSession {
        try StoreSession(path: store, modelPath: model, access: access)
    }

    /// A session for what is edited, and maybe not saved.
    func session(editing ending: EditReport.Ending) throws -> StoreSession {
        try StoreSession(path: store, modelPath: model, access: ending.access, objectClass: EditedObject.self)
    }
}
#endif
