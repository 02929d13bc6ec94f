#if Macros
import Testing

/// A source with a mistake, the sentence about it, and what the fix-it makes of it.
struct Mistake: Sendable, CustomTestStringConvertible {
    let source: String
    let message: String
    let fixed: String?

    var testDescription: String { message }

    /// A declaration by itself.
    static func type(_ source: String, _ message: String, fixed: String? = nil) -> Mistake {
        Mistake(source: source, message: message, fixed: fixed)
    }

    /// A property of a class.
    static func property(_ source: String, _ message: String, fixed: String? = nil) -> Mistake {
        func whole(_ property: String) -> String {
            "@ManagedObject\nfinal class Book: NSManagedObject {\n    \(property)\n}\n"
        }
        return Mistake(source: whole(source), message: message, fixed: fixed.map(whole))
    }

    /// The sentence is the only one; the fix-it gives the wanted source, about which nothing is to be said.
    func check() {
        let expansion = Expansion(source)
        #expect(expansion.messages == [message])
        guard let fixed else {
            #expect(expansion.fixIts.isEmpty)
            return
        }
        #expect(expansion.fixed == fixed)
        #expect(Expansion(fixed).messages.isEmpty)
    }
}
#endif
