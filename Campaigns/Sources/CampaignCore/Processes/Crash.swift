import Foundation
import Glibc

/// What a process that died has said.
enum Crash {
    /// A short name for the way a process died: the runtime's sentence, or else the first functions of the backtrace.
    static func title(_ signal: Int32, _ words: String) -> String {
        let name = String(cString: strsignal(signal))
        if let sentence = fatalError(words) { return "\(name): \(sentence)" }
        let frames = frames(words)
        return frames.isEmpty ? name : "\(name) in \(frames.prefix(3).joined(separator: " < "))"
    }

    /// The sentence of a fatal error with its file and line.
    static func fatalError(_ words: String) -> String? {
        words.split(separator: "\n").map(String.init).first { $0.contains("Fatal error") || $0.contains("ERROR: ") }
            .map { String($0.prefix(240)) }
    }

    /// The functions of a backtrace with their files and lines, the innermost first.
    static func frames(_ words: String) -> [String] {
        words.split(separator: "\n").map(String.init).compactMap { line in
            guard let range = line.range(of: #"^\d+ (\[[^\]]*\] )*(0x[0-9a-f]+ )?"#, options: .regularExpression),
                let end = line.range(of: " in "), range.upperBound <= end.lowerBound
            else { return nil }
            let function = line[range.upperBound..<end.lowerBound]
            let file = line.range(of: #"/[^/ ]+\.swift:\d+"#, options: .regularExpression).map { line[$0].dropFirst() }
            guard let file else { return nil }
            return "\(function.prefix { $0 != "(" }) \(file)"
        }
    }
}
