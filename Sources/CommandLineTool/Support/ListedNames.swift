extension String {
    /// The names in a list that a user typed, without the spaces around them: `a, b.c`.
    var listedNames: [String] {
        split(separator: ",", omittingEmptySubsequences: false).map { name in
            var name = name.drop(while: \.isWhitespace)
            while name.last?.isWhitespace == true { name.removeLast() }
            return String(name)
        }
    }
}
