#if Inspector
import EventStreams
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import OpenCoreData
import StoreTools

extension InspectorRoutes {
    /// The largest body of an edit.
    private static let largestBody = 8 << 20

    // MARK: Page

    func addPage<Context: RequestContext>(to group: RouterGroup<Context>) {
        group.get("") { request, _ in
            // Relative addresses of the page start at its folder.
            guard request.uri.path.hasSuffix("/") else {
                return Response(status: .permanentRedirect, headers: [.location: request.uri.path + "/"])
            }
            return try Self.page("index.html")
        }
        for name in PageFiles.names where name != "index.html" {
            group.get(RouterPath(name)) { _, _ in try Self.page(name) }
        }
    }

    private static func page(_ name: String) throws -> Response {
        guard let response = PageFiles.response(name) else {
            throw InspectorError(.notFound, "There is no \(name).")
        }
        return response
    }

    // MARK: Reading

    func addReading<Context: RequestContext>(to api: RouterGroup<Context>) {
        read(api, "info") { reader, _ in try StoreOverview.json(reader, store) }
        read(api, "model") { reader, _ in ModelDocument.json(reader, classNames: store.classNames) }
        read(api, "counts") { reader, _ in try StoreOverview.counts(reader) }
        api.get("rows") { request, _ in JSONResponse.make(try await rows(RequestArguments(request))) }
        read(api, "count") { reader, arguments in
            try Self.pointing(arguments) {
                let list = try ObjectList(arguments, in: reader)
                let start = ContinuousClock.now
                let count = try reader.context.count(for: list.request(offset: 0, limit: 0))
                return [
                    "count": JSONValue(count), "milliseconds": .number((ContinuousClock.now - start).milliseconds),
                ]
            }
        }
        read(api, "filter") { reader, arguments in
            try Self.pointing(arguments) { try ObjectList(arguments, in: reader).check(in: reader) }
        }
        read(api, "explain") { reader, arguments in
            try Self.pointing(arguments) {
                try ListExplanation.json(
                    ObjectList(arguments, in: reader),
                    limit: try arguments.number("limit", in: 1...ObjectTable.mostRows, default: 100), in: reader)
            }
        }
        read(api, "chart") { reader, arguments in
            try Self.pointing(arguments) {
                try ListChart(arguments, in: reader).json(groups: arguments["as"] == "groups")
            }
        }
        read(api, "object") { reader, arguments in
            try ObjectDocument.json(reader.object(arguments.required("id")), in: reader)
        }
        read(api, "history") { reader, arguments in
            let before = try arguments.number("before", in: 0...Int.max, default: 0)
            return try HistoryPage(reader: reader).json(
                before: before == 0 ? nil : Int64(before),
                limit: try arguments.number("limit", in: 1...200, default: 50))
        }
        read(api, "diagram") { reader, _ in
            ["svg": .string(StoreOverview.diagram(reader))]
        }
        read(api, "sizes") { reader, _ in
            try SizeReport.json(storeURL: try Self.databaseURL(store), model: reader.model)
        }
        read(api, "check") { reader, _ in
            guard let url = try store.checkableURL() else {
                throw InspectorError(.notFound, "The store is neither a SQLite file nor on a server.")
            }
            return try FindingReport(storeURL: url, model: reader.model).json(reader)
        }
        api.get("value") { request, _ in try await value(RequestArguments(request)) }
        api.get("events") { _, _ in
            ServerSentEvents.response(
                { await feed.messages() }, event: "change", opening: "event: hello\ndata: {}\n", buffered: 128)
        }
    }

    private func read<Context: RequestContext>(
        _ api: RouterGroup<Context>, _ path: String,
        _ body: @escaping @Sendable (StoreReader, RequestArguments) throws -> JSONValue
    ) {
        api.get(RouterPath(path)) { request, _ in
            let arguments = RequestArguments(request)
            return JSONResponse.make(try await store.read { try body($0, arguments) })
        }
    }

    /// A page of a list. Where it shows that the store has no index for the list, the order of the list is made ready for
    /// the next one.
    private func rows(_ arguments: RequestArguments) async throws -> JSONValue {
        let page = try PageRequest(arguments)
        let order = await orders.order(of: arguments)
        let start = ContinuousClock.now
        let rows = try await store.read { reader in
            try Self.pointing(arguments) {
                try ObjectTable(arguments, in: reader).rows(page, from: order, in: reader)
            }
        }
        let time = ContinuousClock.now - start
        if order == nil { Task { await orders.consider(arguments, after: page, took: time) } }
        return rows
    }

    /// Errors of a request with a filter say where in the filter they come from.
    private static func pointing(_ arguments: RequestArguments, _ body: () throws -> JSONValue) throws -> JSONValue {
        do { return try body() } catch {
            guard let filter = arguments["where"], !(error is InspectorError) else { throw error }
            throw Filter.error(Sentence.string(of: error), in: filter)
        }
    }

    private static func databaseURL(_ store: InspectedStore) throws -> URL {
        guard let url = try store.databaseURL() else {
            throw InspectorError(.notFound, "The store isn't a SQLite file.")
        }
        return url
    }

    /// A whole value. Only pictures and plain text are shown by the browser; all else is a download.
    private func value(_ arguments: RequestArguments) async throws -> Response {
        let key = try arguments.required("key")
        let (data, type) = try await store.read { reader in
            try ObjectDocument.bytes(of: reader.object(arguments.required("id")), key: key)
        }
        var headers: HTTPFields = [.contentType: type]
        if type == "application/octet-stream" {
            headers[.contentDisposition] = "attachment; filename=\"value.bin\""
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    // MARK: Editing

    func addEditing<Context: RequestContext>(to api: RouterGroup<Context>) {
        api.post("preview") { request, _ in
            let body = try await Self.body(request)
            return JSONResponse.make(try await editor.preview(EditOperation.list(body)))
        }
        api.post("save") { request, _ in
            let body = try await Self.body(request)
            guard case .string(let digest)? = body["digest"] else {
                throw InspectorError(
                    .badRequest, "A save must contain the digest of the differences that were shown.")
            }
            return JSONResponse.make(try await editor.save(EditOperation.list(body), digest: digest))
        }
        api.get("edits") { _, _ in JSONResponse.make(try await editor.state()) }
        api.post("undo") { _, _ in JSONResponse.make(try await editor.undo()) }
        api.post("redo") { _, _ in JSONResponse.make(try await editor.redo()) }
    }

    private static func body(_ request: Request) async throws -> JSONValue {
        var request = request
        let buffer: ByteBuffer
        do {
            buffer = try await request.collectBody(upTo: largestBody)
        } catch is NIOTooManyBytesError {
            throw InspectorError(
                .contentTooLarge, "An edit can have at most \(largestBody / 1_000_000) million bytes.")
        }
        var parser = JSONPullParser(String(buffer: buffer))
        do {
            let value = try parser.readValue()
            guard try parser.next() == .endOfDocument else {
                throw InspectorError(.badRequest, "The body is more than one JSON value.")
            }
            return value
        } catch let error as InspectorError {
            throw error
        } catch {
            throw InspectorError(.badRequest, Sentence.string(of: error))
        }
    }
}
#endif
