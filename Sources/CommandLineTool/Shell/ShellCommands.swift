#if CommandLineTool
import Foundation
import StoreTools

/// Runs the lines of the command `shell`, each as a process of its own, so that Ctrl-C ends one and not the shell.
struct ShellCommands {
    enum Outcome {
        case succeeded, failed, ended
    }

    /// Commands whose first argument is the store.
    private static let onStore: Set<String> = [
        "info", "schema", "list", "show", "count", "search", "query", "sql", "history", "watch", "export", "import",
        "insert", "upsert", "set", "delete", "check", "backup", "copy", "migrate", "index", "serve",
    ]

    /// The commands that can be typed.
    static var names: [String] { onStore.sorted() + ["model", "help", "exit"] }

    let store: String
    let model: String?

    /// Runs a line. What is wrong with it is said on standard error.
    func run(_ line: String, isInteractive: Bool) -> Outcome {
        let trimmed = line.trimmingCharacters(in: .whitespacesAndNewlines)
        if trimmed.isEmpty || trimmed.hasPrefix("#") { return .succeeded }
        if trimmed.lowercased().hasPrefix("select ") {
            return start(["sql", store] + options(of: "sql") + ["--", trimmed], isInteractive)
        }
        guard let words = ShellWords(trimmed) else {
            StandardError.writeLine("opencoredata: A quotation mark isn't closed.")
            return .failed
        }
        guard let name = words.words.first else { return .succeeded }
        let rest = Array(words.words.dropFirst())
        if name == "exit" || name == "quit" { return .ended }
        if Self.onStore.contains(name), !rest.contains("--help"), !rest.contains("-h") {
            return start([name, store] + options(of: name) + rest, isInteractive)
        }
        if name == "shell" || name == "create" {
            StandardError.writeLine("opencoredata: \(name) can't be used in a shell.")
            return .failed
        }
        return start([name] + rest, isInteractive)
    }

    private func options(of name: String) -> [String] {
        // schema takes the model in place of the store, and index uses the model that the server keeps.
        guard let model, name != "schema", name != "index" else { return [] }
        return ["--model", model]
    }

    /// Lets Ctrl-C end what the shell runs, and not the shell.
    func ignoreInterruptions() { _ = signal(SIGINT) { _ in } }

    private func start(_ arguments: [String], _ isInteractive: Bool) -> Outcome {
        guard let program = Bundle.main.executablePath else { return .failed }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The lines that follow are not its input.
        if !isInteractive { posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) }
        var words = (["opencoredata"] + arguments).map { strdup($0) } + [nil]
        var environment = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for string in words + environment { free(string) } }
        var process = pid_t()
        let code = posix_spawn(&process, program, &actions, nil, &words, &environment)
        guard code == 0 else {
            StandardError.writeLine("opencoredata: The command can't be started: \(SystemFailure(number: code)).")
            return .failed
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status == 0 ? .succeeded : .failed
    }
}
#endif
