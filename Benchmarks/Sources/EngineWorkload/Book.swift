import Foundation
import OpenCoreData

/// A book, as generated model code would declare it.
final class Book: NSManagedObject {
    static let titleProperty = ManagedProperty<String>("title")
    static let isbnProperty = ManagedProperty<String>("isbn")
    static let pagesProperty = ManagedProperty<Int32>("pages")
    static let priceProperty = ManagedProperty<Double>("price")
    static let publishedProperty = ManagedProperty<Date>("published")
    static let ratingProperty = ManagedProperty<Double?>("rating")
    static let inPrintProperty = ManagedProperty<Bool>("inPrint")
    static let summaryProperty = ManagedProperty<String>("summary")
    static let authorProperty = ManagedProperty<Author?>("author")
    static let tagsProperty = ManagedProperty<Set<Tag>>("tags")

    var title: String {
        get { self[Book.titleProperty] }
        set { self[Book.titleProperty] = newValue }
    }
    var isbn: String {
        get { self[Book.isbnProperty] }
        set { self[Book.isbnProperty] = newValue }
    }
    var pages: Int32 {
        get { self[Book.pagesProperty] }
        set { self[Book.pagesProperty] = newValue }
    }
    var price: Double {
        get { self[Book.priceProperty] }
        set { self[Book.priceProperty] = newValue }
    }
    var published: Date {
        get { self[Book.publishedProperty] }
        set { self[Book.publishedProperty] = newValue }
    }
    var rating: Double? {
        get { self[Book.ratingProperty] }
        set { self[Book.ratingProperty] = newValue }
    }
    var inPrint: Bool {
        get { self[Book.inPrintProperty] }
        set { self[Book.inPrintProperty] = newValue }
    }
    var summary: String {
        get { self[Book.summaryProperty] }
        set { self[Book.summaryProperty] = newValue }
    }
    var author: Author? {
        get { self[Book.authorProperty] }
        set { self[Book.authorProperty] = newValue }
    }
    var tags: Set<Tag> {
        get { self[Book.tagsProperty] }
        set { self[Book.tagsProperty] = newValue }
    }
}
