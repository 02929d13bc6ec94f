#if CommandLineTool
import ArgumentParser

extension NameSpecification {
    /// The names of the flag that lets a command replace a file.
    static let overwriting: NameSpecification = [.customLong("force"), .customLong("replace")]
}
#endif
