import OpenCoreData

// Makes the store Library.sqlite in the folder named on the command line, fills it, and asks it a few questions.

guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: LibraryDemo FOLDER\n".utf8))
    exit(64)
}

do {
    try LibraryDemo(folder: URL(fileURLWithPath: CommandLine.arguments[1])).run()
} catch {
    FileHandle.standardError.write(Data("LibraryDemo: \((error as NSError).localizedDescription)\n".utf8))
    exit(1)
}
