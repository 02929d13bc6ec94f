import Foundation

extension Book {
    /// A number made of all eight attributes; reads each as a user reads it.
    var touchSum: Int {
        var sum = Int(title.utf8.last ?? 0) + Int(isbn.utf8.last ?? 0) + Int(summary.utf8.last ?? 0)
        sum += Int(pages)
        sum += Int((price * 100 + 0.5).rounded(.down))
        sum += Int(published.timeIntervalSinceReferenceDate) % 60
        if let rating { sum += Int((rating * 10 + 0.5).rounded(.down)) }
        return sum + (inPrint ? 1 : 0)
    }
}
