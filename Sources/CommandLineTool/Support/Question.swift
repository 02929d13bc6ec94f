import Foundation
import StoreTools

/// A question to the person at the terminal.
enum Question {
    /// Whether there is a person to ask.
    static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// - Returns: Whether the answer is yes; anything else is no.
    /// - Throws: An interruption when a signal came instead of an answer.
    static func ask(_ question: String) throws -> Bool {
        StandardError.writePrompt("\(question) [y/N] ")
        var answer: [UInt8] = []
        while !answer.contains(UInt8(ascii: "\n")) {
            let piece = try SystemFile.readSome(STDIN_FILENO, upTo: 256) { try Interruption.check() }
            if piece.isEmpty { break }
            answer += piece
        }
        let word = String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return ["y", "yes"].contains(word.lowercased())
    }
}
