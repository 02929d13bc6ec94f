#if CommandLineTool
import ArgumentParser

/// How `list` prints objects.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case ndjson
    case csv
}

/// What `export` writes.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    case json
    case ndjson
    case csv
}

/// How commands print what is no list of objects.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case ndjson
}
#endif
