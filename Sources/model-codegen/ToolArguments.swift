import Foundation
import ModelCodeGeneration

/// The command line of the tool. It is read by hand, because a plugin's tool has no dependencies.
struct ToolArguments {
    enum Task: String {
        case model
        case managed
        case resource
    }

    /// What diagnostics of the command line have for a file.
    static let file = "model-codegen"

    let task: Task
    private(set) var inputs: [String] = []
    private(set) var models: [String] = []
    private(set) var outputFile: URL?
    private(set) var outputFolder: URL?
    private(set) var compiledModule: String?
    private(set) var settings = GenerationSettings()

    static func error(_ message: String) -> Diagnostic { Diagnostic(file: file, line: nil, message) }

    init(_ arguments: [String]) throws(Diagnostic) {
        guard let first = arguments.first, let task = Task(rawValue: first) else {
            throw Self.error("the first argument is 'model', 'managed' or 'resource'")
        }
        self.task = task
        var options = GenerationOptions()
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                inputs.append(argument)
                continue
            }
            if argument == "--templates" {
                options.templates = true
                continue
            }
            guard let value = rest.popFirst() else { throw Self.error("\(argument) needs a value") }
            switch argument {
            case "--output-file": outputFile = URL(fileURLWithPath: value)
            case "--output": outputFolder = URL(fileURLWithPath: value, isDirectory: true)
            case "--model": models.append(value)
            case "--settings":
                // What comes later counts, so a target's settings outweigh what the plugin says by itself.
                try options.apply(to: &settings, file: Self.file)
                options = GenerationOptions()
                try GenerationOptions(contentsOf: URL(fileURLWithPath: value)).apply(to: &settings, file: value)
            case "--compiled-module": compiledModule = value
            case "--module": options.module = value
            case "--import": options.imported = value
            case "--access": options.access = value
            case "--collections": options.collections = value
            case "--optionality": options.optionality = value
            case "--apple": options.apple = value
            case "--mode": options.mode = value
            default: throw Self.error("there is no option \(argument)")
            }
        }
        try options.apply(to: &settings, file: Self.file)
        try check()
    }

    private func check() throws(Diagnostic) {
        guard !inputs.isEmpty || task == .managed else { throw Self.error("no model is named") }
        guard (outputFile == nil) != (outputFolder == nil) else {
            throw Self.error("one of --output and --output-file is needed")
        }
        if outputFile != nil, task != .managed, inputs.count > 1 {
            throw Self.error("several models go into a folder; use --output")
        }
    }
}
