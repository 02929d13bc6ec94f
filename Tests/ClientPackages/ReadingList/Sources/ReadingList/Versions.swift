import Foundation
import SwiftData

public enum ReadingListV1: VersionedSchema {
    public static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    public static var models: [any PersistentModel.Type] { [Book.self] }

    @Model
    public final class Book {
        @Attribute(.unique) public var isbn: String
        public var name: String

        public init(isbn: String, name: String) {
            self.isbn = isbn
            self.name = name
        }
    }
}

public enum ReadingListV2: VersionedSchema {
    public static let versionIdentifier = Schema.Version(2, 0, 0)
    public static var models: [any PersistentModel.Type] { [Book.self] }

    @Model
    public final class Book {
        @Attribute(.unique) public var isbn: String
        @Attribute(originalName: "name") public var title: String
        public var initial: String = ""

        public init(isbn: String, title: String) {
            self.isbn = isbn
            self.title = title
        }
    }
}

public enum ReadingListPlan: SchemaMigrationPlan {
    public static var schemas: [any VersionedSchema.Type] { [ReadingListV1.self, ReadingListV2.self] }
    public static var stages: [MigrationStage] { [addInitials] }

    static let addInitials = MigrationStage.custom(
        fromVersion: ReadingListV1.self, toVersion: ReadingListV2.self,
        willMigrate: { context in
            try context.delete(model: ReadingListV1.Book.self, where: #Predicate { $0.name == "" })
            try context.save()
        },
        didMigrate: { context in
            for book in try context.fetch(FetchDescriptor<ReadingListV2.Book>()) {
                book.initial = String(book.title.prefix(1))
            }
            try context.save()
        })
}
