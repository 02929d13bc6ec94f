/// The names of functions in format strings.
enum FunctionNames {
    /// Apple's name of a function that may be written without its colons, such as `sum(x)`.
    static func full(_ word: String, argumentCount: Int) -> String {
        guard !word.contains(":") else { return word }
        let name = word.lowercased()
        if name == "avg" { return "average:" }
        return argumentCount == 0 ? name : "\(name):"
    }

    static func isKnown(_ name: String) -> Bool {
        PredicateFunctions.names.contains(name) || name == "distanceToLocation:fromLocation:"
    }
}
