#if CommandLineTool
    import ArgumentParser

    @main
    struct OpenCoreDataCommand: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "opencoredata")
    }
#else
    @main
    struct OpenCoreDataCommand {
        static func main() {
            print("This build leaves the command out; build it with: swift build --traits CommandLineTool")
        }
    }
#endif
