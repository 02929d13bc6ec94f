import Foundation
import OpenCoreData
import Testing

@testable import StoreTools

@Suite struct SentenceTests {
    private func error(_ string: String, details: [any Error] = []) -> CocoaError {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: string]
        if !details.isEmpty { userInfo[NSDetailedErrorsKey] = details }
        return CocoaError(CocoaError.Code(rawValue: details.isEmpty ? 1_570 : 1_560), userInfo: userInfo)
    }

    @Test func errorsAreOneLine() {
        #expect(Sentence.string(of: error("name is missing")) == "name is missing.")
        #expect(Sentence.string(of: error("two\nlines.")) == "two⏎lines.")
        #expect(Sentence.string(of: ToolFailure("did you mean Book?")) == "did you mean Book?")
        #expect(
            Sentence.string(of: JSONSyntaxError(line: 1, column: 2, reason: "x"))
                == "The input is not valid JSON at line 1, column 2: x.")
    }

    @Test func severalErrorsAreListed() {
        let details = ["a.", "b.", "c.", "d."].map { error($0) }
        #expect(Sentence.string(of: error("Many.", details: details)) == "4 values are not valid: a; b; c; and 1 more.")
    }
}
