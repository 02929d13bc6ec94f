/// Values by reference: pages of 512 places.
///
/// References that are dense from 1, as Core Data's stores give them out, cost two memory reads. Any other reference goes
/// through a dictionary of pages. A page that has become empty is freed. Not safe to share: a lock of the owner guards it.
struct ReferencePages<Element: BitwiseCopyable>: ~Copyable {
    private struct Page: BitwiseCopyable {
        let places: UnsafeMutablePointer<Element?>
        var count = 0

        init() {
            places = .allocate(capacity: pageSize)
            places.initialize(repeating: nil, count: pageSize)
        }

        @inline(__always)
        mutating func set(_ place: Int, _ element: Element?) {
            count += (element == nil ? 0 : 1) - (places[place] == nil ? 0 : 1)
            places[place] = element
        }

        func forEach(_ body: (Element) -> Void) {
            for place in 0..<pageSize {
                if let element = places[place] { body(element) }
            }
        }
    }

    private static var pageSize: Int { 512 }
    private static var directPages: Int64 { 1 << 16 }
    private var direct: [Page?] = []
    private var sparse: [Int64: Page] = [:]

    init() {}

    deinit {
        for page in direct { page?.places.deallocate() }
        for page in sparse.values { page.places.deallocate() }
    }

    subscript(reference: Int64) -> Element? {
        @inline(__always) get {
            let number = reference >> 9
            if number >= 0, number < Int64(direct.count) {
                return direct[Int(number)]?.places[Int(reference & 511)]
            }
            return sparse.isEmpty ? nil : sparse[number]?.places[Int(reference & 511)]
        }
        set {
            let number = reference >> 9
            if number >= 0, number < Self.directPages {
                setDirect(Int(number), Int(reference & 511), newValue)
            } else {
                setSparse(number, Int(reference & 511), newValue)
            }
        }
    }

    func forEach(_ body: (Element) -> Void) {
        for page in direct { page?.forEach(body) }
        for page in sparse.values { page.forEach(body) }
    }

    @inline(__always)
    private mutating func setDirect(_ number: Int, _ place: Int, _ element: Element?) {
        if number >= direct.count {
            if element == nil { return }
            direct.append(contentsOf: repeatElement(nil, count: number + 1 - direct.count))
        }
        if direct[number] == nil {
            if element == nil { return }
            direct[number] = Page()
        }
        direct[number]?.set(place, element)
        if direct[number]?.count == 0 {
            direct[number]?.places.deallocate()
            direct[number] = nil
        }
    }

    private mutating func setSparse(_ number: Int64, _ place: Int, _ element: Element?) {
        var page: Page
        if let known = sparse[number] {
            page = known
        } else {
            if element == nil { return }
            page = Page()
        }
        page.set(place, element)
        sparse[number] = page.count == 0 ? nil : page
        if page.count == 0 { page.places.deallocate() }
    }
}
