import Foundation
import Glibc

/// What a process that died has said.
enum Crash {
    /// A short name for the way a process died: the runtime's sentence, or else the first functions of the backtrace.
    static func title(_ signal: Int32, _ words: String) -> String {
        let description = String(cString: strsignal(signal))
        if let sentence = fatalError(words) { return "\(description): \(sentence)" }
        let frames = frames(words)
        let reason = words.split(separator: "\n").first { $0.contains("Swift runtime failure: ") }
            .flatMap { $0.split(separator: "***").first { $0.contains("runtime failure") } }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let name = reason ?? description
        return frames.isEmpty ? name : "\(name) in \(frames.prefix(3).joined(separator: " < "))"
    }

    /// Whether a debugger would say more than the words do: not where they name a file and line.
    static func mayDebug(_ words: String) -> Bool {
        !(fatalError(words)?.contains(".swift:") ?? false)
    }

    /// The sentence of a fatal error with its file and line.
    static func fatalError(_ words: String) -> String? {
        words.split(separator: "\n").map(String.init).first { $0.contains("Fatal error") || $0.hasPrefix("SUMMARY: ") }
            .map { String($0.prefix(240)) }
    }

    /// The functions of a backtrace with their files and lines, the innermost first.
    static func frames(_ words: String) -> [String] {
        words.split(separator: "\n").map(String.init).compactMap { line in
            guard let range = line.range(of: #"^ *\d+ +(\[[^\]]*\] *)*(0x[0-9a-f]+ )?"#, options: .regularExpression),
                let end = line.range(of: " in "), range.upperBound <= end.lowerBound
            else { return nil }
            let function = line[range.upperBound..<end.lowerBound]
            let file = line.range(of: #"/[^/ ]+\.swift:\d+"#, options: .regularExpression).map { line[$0].dropFirst() }
            guard let file, !function.hasPrefix("Swift runtime failure") else { return nil }
            return "\(function.prefix { $0 != "(" }) \(file)"
        }
    }
}
