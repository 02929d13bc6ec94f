#if CommandLineTool
    import ArgumentParser

    /// How `list` prints objects.
    enum ListFormat: String, ExpressibleByArgument, CaseIterable {
        case table
        case json
        case csv
    }

    /// What `export` writes.
    enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
        case json
        case csv
    }
#endif
