import Foundation

/// A word by reference: pages of 512 slots. The word 0 represents nothing.
///
/// References that are dense from 1, as Core Data's stores give them out, cost two memory reads. Any other reference goes
/// through a dictionary of pages. A page that has become empty is freed, but for one that is kept for the next to come. Not
/// safe to share: a lock of the owner guards it.
struct ReferencePages: ~Copyable {
    private struct Page: BitwiseCopyable {
        var words: UnsafeMutablePointer<UInt64>?
        var count = 0

        /// Sets a slot of a page that is there.
        ///
        /// - Returns: By how much the number of slots with a word has changed.
        @inline(__always)
        mutating func set(_ words: UnsafeMutablePointer<UInt64>, _ index: Int, _ word: UInt64) -> Int {
            let change = (word == 0 ? 0 : 1) - (words[index] == 0 ? 0 : 1)
            count += change
            words[index] = word
            return change
        }

        func forEach(_ body: (UInt64) -> Void) {
            guard let words else { return }
            for index in 0..<pageSize where words[index] != 0 { body(words[index]) }
        }
    }

    private static var pageSize: Int { 512 }
    private static var directPages: Int { 1 << 16 }
    private var direct: UnsafeMutablePointer<Page>?
    private var directCount = 0
    private var sparse: [Int64: Page] = [:]
    /// How many slots have a word.
    private(set) var count = 0
    /// A page without words, ready to be used.
    private var spare: UnsafeMutablePointer<UInt64>?

    init() {}

    deinit {
        for page in 0..<directCount { free(direct?[page].words) }
        free(direct)
        for page in sparse.values { free(page.words) }
        free(spare)
    }

    subscript(reference: Int64) -> UInt64 {
        @inline(__always) get {
            if let words = directWords(reference) { return words[Int(reference & 511)] }
            return sparse.isEmpty ? 0 : sparse[reference &>> 9]?.words?[Int(reference & 511)] ?? 0
        }
        @inline(__always) set {
            if newValue != 0, let direct, let words = directWords(reference) {
                count &+= direct[Int(reference &>> 9)].set(words, Int(reference & 511), newValue)
            } else {
                setRarely(reference, newValue)
            }
        }
    }

    /// Puts a word in the slot of a reference.
    ///
    /// - Returns: What stood there.
    @inline(__always)
    mutating func exchange(_ reference: Int64, _ word: UInt64) -> UInt64 {
        let former = self[reference]
        self[reference] = word
        return former
    }

    /// The page of a reference that is one of the dense ones.
    @inline(__always)
    private func directWords(_ reference: Int64) -> UnsafeMutablePointer<UInt64>? {
        let number = reference &>> 9
        guard let direct, number >= 0, number < Int64(directCount) else { return nil }
        return direct[Int(number)].words
    }

    func forEach(_ body: (UInt64) -> Void) {
        for page in 0..<directCount { direct?[page].forEach(body) }
        for page in sparse.values { page.forEach(body) }
    }

    /// Calls `body` with each reference that has a word, in no order.
    func forEachEntry(_ body: (Int64, UInt64) -> Void) {
        func visit(_ page: Page?, _ number: Int64) {
            guard let words = page?.words else { return }
            for index in 0..<Self.pageSize where words[index] != 0 {
                body(number << 9 | Int64(index), words[index])
            }
        }
        for page in 0..<directCount { visit(direct?[page], Int64(page)) }
        for (number, page) in sparse { visit(page, number) }
    }

    /// What is wrong with the counts and pages, for tests; empty when all is as it should be.
    func checkInvariants() -> [String] {
        var broken: [String] = []
        func check(_ page: Page?, _ number: Int64) {
            guard let page, let words = page.words else { return }
            let count = (0..<Self.pageSize).count { words[$0] != 0 }
            if page.count != count { broken.append("page \(number) counts \(page.count) of \(count) words") }
            if count == 0 { broken.append("page \(number) is empty and was not freed") }
        }
        for page in 0..<directCount { check(direct?[page], Int64(page)) }
        for (number, page) in sparse {
            check(page, number)
            if page.words == nil { broken.append("page \(number) is listed without words") }
            if number >= 0, number < Int64(Self.directPages) {
                broken.append("page \(number) is in the wrong directory")
            }
        }
        let pages = (0..<directCount).compactMap { direct?[$0] } + sparse.values
        let total = pages.reduce(0) { $0 + $1.count }
        if total != count { broken.append("\(count) words are counted, and the pages have \(total)") }
        return broken
    }

    @inline(never)
    private mutating func setRarely(_ reference: Int64, _ word: UInt64) {
        let number = reference &>> 9
        if number >= 0, number < Int64(Self.directPages) {
            if number >= Int64(directCount) {
                if word == 0 { return }
                growDirectory(to: Int(number) + 1)
            }
            guard let direct else { return }
            set(&direct[Int(number)], Int(reference & 511), word)
        } else {
            var page = sparse[number] ?? Page()
            set(&page, Int(reference & 511), word)
            sparse[number] = page.words == nil ? nil : page
        }
    }

    private mutating func set(_ page: inout Page, _ index: Int, _ word: UInt64) {
        if page.words == nil {
            if word == 0 { return }
            page.words = spare ?? Self.makePage()
            spare = nil
        }
        guard let words = page.words else { return }
        count += page.set(words, index, word)
        guard page.count == 0 else { return }
        if spare == nil { spare = words } else { free(words) }
        page.words = nil
    }

    private static func makePage() -> UnsafeMutablePointer<UInt64> {
        guard let memory = calloc(pageSize, MemoryLayout<UInt64>.stride) else {
            fatalError("There is no memory for a page of \(pageSize) references.")
        }
        return memory.assumingMemoryBound(to: UInt64.self)
    }

    private mutating func growDirectory(to count: Int) {
        let grown = min(max(count, directCount * 2), Self.directPages)
        let memory = Memory.resized(direct, to: grown)
        (memory + directCount).initialize(repeating: Page(), count: grown - directCount)
        direct = memory
        directCount = grown
    }
}
