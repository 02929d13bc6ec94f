import CampaignCore

/// Strings that no program would write.
enum Noise {
    private static let alphabet: [Character] = Array(
        "abzAZ019 \t\n'\"\\()[]{}<>=!&|,.:;@#$%^*+-/?~`_\u{0}\u{1}\u{7F}\u{300}éßﬁ日\u{200D}\u{FEFF}\u{FFFF}\u{1F600}\u{10FFFF}"
    )

    static func string(_ random: inout SplitMix64, length: Int) -> String {
        String((0..<random.below(length + 1)).map { _ in random.pick(alphabet) })
    }

    /// A string with a few changes of characters: some dropped, doubled, exchanged, put in, or a piece repeated.
    static func mutated(_ string: String, _ random: inout SplitMix64) -> String {
        var characters = Array(string)
        for _ in 0...random.below(4) {
            guard !characters.isEmpty else { return Self.string(&random, length: 8) }
            let index = random.below(characters.count)
            switch random.below(7) {
            case 0: characters.remove(at: index)
            case 1: characters.insert(characters[index], at: index)
            case 2: characters.swapAt(index, random.below(characters.count))
            case 3: characters[index] = random.pick(alphabet)
            case 4: characters.insert(random.pick(alphabet), at: index)
            case 5:
                let end = min(characters.count, index + 1 + random.below(12))
                characters.insert(contentsOf: characters[index..<end], at: random.below(characters.count))
            default: characters.removeSubrange(index..<min(characters.count, index + 1 + random.below(6)))
            }
        }
        return String(characters)
    }
}
