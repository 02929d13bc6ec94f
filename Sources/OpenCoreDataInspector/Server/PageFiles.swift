#if Inspector
import Foundation
import HTTPTypes
import Hummingbird

/// The page's own files, which are part of the program.
enum PageFiles {
    private static let files: [String: (type: String, bytes: [UInt8])] = [
        "index.html": ("text/html; charset=utf-8", PackageResources.index_html),
        "style.css": ("text/css; charset=utf-8", PackageResources.style_css),
        "table.css": ("text/css; charset=utf-8", PackageResources.table_css),
        "icon.svg": ("image/svg+xml", PackageResources.icon_svg),
        "main.js": (script, PackageResources.main_js),
        "dom.js": (script, PackageResources.dom_js),
        "api.js": (script, PackageResources.api_js),
        "values.js": (script, PackageResources.values_js),
        "grid.js": (script, PackageResources.grid_js),
        "list.js": (script, PackageResources.list_js),
        "filter.js": (script, PackageResources.filter_js),
        "object.js": (script, PackageResources.object_js),
        "edits.js": (script, PackageResources.edits_js),
        "charts.js": (script, PackageResources.charts_js),
        "inputs.js": (script, PackageResources.inputs_js),
        "picker.js": (script, PackageResources.picker_js),
        "files.js": (script, PackageResources.files_js),
        "links.js": (script, PackageResources.links_js),
        "new.js": (script, PackageResources.new_js),
        "export.js": (script, PackageResources.export_js),
        "history.js": (script, PackageResources.history_js),
        "model.js": (script, PackageResources.model_js),
        "diagram.js": (script, PackageResources.diagram_js),
        "storage.js": (script, PackageResources.storage_js),
    ]
    private static let script = "text/javascript; charset=utf-8"

    static var names: [String] { files.keys.sorted() }

    /// The answer for a file; nil for a name that none has.
    static func response(_ name: String) -> Response? {
        guard let file = files[name] else { return nil }
        return Response(
            status: .ok, headers: [.contentType: file.type, .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }

    /// The page for requests without the token.
    static var unauthorized: Response {
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>OpenCoreData inspector</title>
            <h1>This inspector is locked</h1>
            <p>Open the address that the command printed; it has the token that lets you in.</p></html>
            """
        return Response(
            status: .unauthorized, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }

    /// A path without a slash at its end.
    static func folderName(of path: String) -> String {
        var path = path[...]
        while path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }
}
#endif
