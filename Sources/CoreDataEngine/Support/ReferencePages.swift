/// Values by reference: pages of 512 places.
///
/// References that are dense from 1, as Core Data's stores give them out, cost two memory reads. Any other reference goes
/// through a dictionary of pages. Not safe to share: a lock of the owner guards it.
struct ReferencePages<Element: BitwiseCopyable>: ~Copyable {
    typealias Page = UnsafeMutablePointer<Element?>

    private let pageSize = 512
    private let directPages = 1 << 16
    private var direct: [Page?] = []
    private var sparse: [Int64: Page] = [:]

    init() {}

    deinit {
        for page in direct { page?.deallocate() }
        for page in sparse.values { page.deallocate() }
    }

    subscript(reference: Int64) -> Element? {
        @inline(__always) get {
            let number = reference >> 9
            if number >= 0, number < Int64(direct.count) {
                return direct[Int(number)]?[Int(reference & 511)]
            }
            return sparse[number]?[Int(reference & 511)]
        }
        @inline(__always) set {
            page(for: reference >> 9)[Int(reference & 511)] = newValue
        }
    }

    func forEach(_ body: (Element) -> Void) {
        for page in direct { forEach(in: page, body) }
        for page in sparse.values { forEach(in: page, body) }
    }

    private func forEach(in page: Page?, _ body: (Element) -> Void) {
        guard let page else { return }
        for index in 0..<pageSize {
            if let element = page[index] { body(element) }
        }
    }

    @inline(__always)
    private mutating func page(for number: Int64) -> Page {
        if number >= 0, number < Int64(direct.count), let page = direct[Int(number)] { return page }
        return makePage(number)
    }

    @inline(never)
    private mutating func makePage(_ number: Int64) -> Page {
        if let page = sparse[number] { return page }
        let page = Page.allocate(capacity: pageSize)
        page.initialize(repeating: nil, count: pageSize)
        if number >= 0, number < Int64(directPages) {
            let index = Int(number)
            if index >= direct.count { direct.append(contentsOf: repeatElement(nil, count: index + 1 - direct.count)) }
            direct[index] = page
        } else {
            sparse[number] = page
        }
        return page
    }
}
