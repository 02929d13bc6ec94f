import Sticky

// Each run is a launch: add TEXT, list, memory on, memory off, delete.

guard let command = Notebook.Command(Array(CommandLine.arguments.dropFirst())) else {
    FileHandle.standardError.write(Data("usage: FirstLaunch add TEXT | list | memory on|off | delete\n".utf8))
    exit(64)
}

do {
    let notebook = Notebook(name: "Notes", settings: LaunchSettings(defaults: .standard))
    for line in try notebook.launch(command) { print(line) }
} catch {
    FileHandle.standardError.write(Data("FirstLaunch: \(error.localizedDescription)\n".utf8))
    exit(1)
}
