/// Walks over the objects of an export: `{"model": …, "entities": {"Name": [ … ]}}`, or lines with an object each, before
/// which a line with the model may stand.
package struct ImportReader {
    private let input: ImportInput

    package init(_ input: ImportInput) {
        self.input = input
    }

    /// Calls `body` with each object, the name of its entity, and how many bytes have been read.
    ///
    /// - Throws: `ToolFailure` where the input is no export, and what `body` throws.
    package func forEachObject(_ body: (_ entity: String, _ object: JSONValue, _ offset: Int) throws -> Void) throws {
        var parser = try input.parser()
        do {
            try read(&parser, body)
        } catch let error as JSONSyntaxError {
            throw ToolFailure("\(input.name) is not valid JSON: \(error).")
        }
    }

    private func read(
        _ parser: inout JSONPullParser, _ body: (_ entity: String, _ object: JSONValue, _ offset: Int) throws -> Void
    ) throws {
        var hasEntities = false
        var hasModel = false
        guard try parser.next() == .beginObject else { throw noExport }
        while case .key(let key) = try parser.next() {
            if key == "entities" {
                hasEntities = true
                try readEntities(&parser, body)
            } else if key == "entity", !hasEntities {
                return try readLines(&parser, body)
            } else {
                if key == ImportInput.modelKey { hasModel = true }
                try parser.skipValue()
            }
        }
        if hasModel, !hasEntities { return try readLines(afterModel: &parser, body) }
        guard try parser.next() == .endOfDocument, hasEntities else { throw noExport }
    }

    /// The lines of an export, of whose first one the end has been read.
    private func readLines(
        afterModel parser: inout JSONPullParser,
        _ body: (_ entity: String, _ object: JSONValue, _ offset: Int) throws -> Void
    ) throws {
        guard try parser.beginNextDocument() else { return }
        guard try parser.next() == .beginObject else { throw noExport }
        try expectEntity(&parser)
        try readLines(&parser, body)
    }

    private func expectEntity(_ parser: inout JSONPullParser) throws {
        guard case .key("entity") = try parser.next() else {
            throw ToolFailure(
                "\(input.name): \(parser.error("an object should begin with the name of its \"entity\"")).")
        }
    }

    /// One object after the other, each with the name of its entity as its first member.
    ///
    /// - Parameter parser: Where the name of the first object's entity follows.
    private func readLines(
        _ parser: inout JSONPullParser, _ body: (_ entity: String, _ object: JSONValue, _ offset: Int) throws -> Void
    ) throws {
        while true {
            guard case .string(let entity) = try parser.readValue() else { throw noExport }
            try body(entity, try parser.restOfObject(), parser.offset)
            guard try parser.beginNextDocument() else { return }
            guard try parser.next() == .beginObject else { throw noExport }
            try expectEntity(&parser)
        }
    }

    private func readEntities(
        _ parser: inout JSONPullParser, _ body: (_ entity: String, _ object: JSONValue, _ offset: Int) throws -> Void
    ) throws {
        guard try parser.next() == .beginObject else { throw noExport }
        while case .key(let entity) = try parser.next() {
            guard try parser.next() == .beginArray else { throw noExport }
            while true {
                let event = try parser.next()
                if event == .endArray { break }
                guard event == .beginObject else { throw noExport }
                try body(entity, try parser.value(after: event), parser.offset)
            }
        }
    }

    private var noExport: ToolFailure {
        ToolFailure(
            "\(input.name) is not an export: it should be an object with \"entities\", which has an array of objects for each, "
                + "or lines with an object each that begins with its \"entity\"."
        )
    }
}
