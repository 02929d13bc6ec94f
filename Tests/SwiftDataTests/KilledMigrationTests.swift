#if Macros
import CoreDataEngine
import Foundation
import SwiftData
import TestSupport
import Testing

private enum PhotosV1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Photo.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

    @Model final class Photo {
        var name: String
        @Attribute(.externalStorage) var data: Data?
        init(name: String) { self.name = name }
    }
}

private enum PhotosV2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Photo.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

    @Model final class Photo {
        @Attribute(originalName: "name") var title: String
        @Attribute(.externalStorage) var data: Data?
        var length: Int = 0
        init(title: String) { self.title = title }
    }
}

private enum PhotosV3: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Photo.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }

    @Model final class Photo {
        var title: String
        @Attribute(.externalStorage) var data: Data?
        var length: Int = 0
        var isChecked: Bool = false
        init(title: String) { self.title = title }
    }
}

private enum PhotoPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [PhotosV1.self, PhotosV2.self, PhotosV3.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: PhotosV1.self, toVersion: PhotosV2.self,
                willMigrate: { context in
                    for photo in try context.fetch(FetchDescriptor<PhotosV1.Photo>()) { photo.name += "!" }
                },
                didMigrate: { context in
                    for photo in try context.fetch(FetchDescriptor<PhotosV2.Photo>()) {
                        photo.length = photo.data?.count ?? 0
                    }
                }),
            .lightweight(fromVersion: PhotosV2.self, toVersion: PhotosV3.self),
        ]
    }
}

/// Migrations by a plan in a process that is killed: the next one finds the store of the old version or of the new one.
@Suite(.serialized) struct KilledMigrationTests {
    private static let count = 120
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Photos.store")
    }

    private static func context(_ version: any VersionedSchema.Type, _ url: URL, plan: Bool = false) throws
        -> ModelContext
    {
        ModelContext(
            try ModelContainer(
                for: Schema(versionedSchema: version), migrationPlan: plan ? PhotoPlan.self : nil,
                configurations: ModelConfiguration(url: url)))
    }

    private static func data(_ number: Int) -> Data? {
        number.isMultiple(of: 40) ? Data(repeating: UInt8(number), count: 150_000) : nil
    }

    private func fill() throws {
        let context = try Self.context(PhotosV1.self, url)
        for number in 0..<Self.count {
            let photo = PhotosV1.Photo(name: "\(number)")
            photo.data = Self.data(number)
            context.insert(photo)
        }
        try context.save()
    }

    /// Whether the store is of the last version; it is of that or the first, and whole.
    private func isNew() throws -> Bool {
        let problem = "a photo is not as it was"
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: nil)
        let isNew = (metadata[NSStoreModelVersionIdentifiersKey] as? [String])?.contains("3.0.0") == true
        if isNew {
            let photos = try Self.context(PhotosV3.self, url).fetch(FetchDescriptor<PhotosV3.Photo>())
            #expect(photos.count == Self.count)
            for photo in photos {
                let number = try #require(Int(photo.title.dropLast()))
                #expect(photo.title == "\(number)!" && photo.data == Self.data(number), "\(problem)")
                #expect(photo.length == photo.data?.count ?? 0, "\(problem)")
            }
        } else {
            let photos = try Self.context(PhotosV1.self, url).fetch(FetchDescriptor<PhotosV1.Photo>())
            #expect(photos.count == Self.count)
            for photo in photos {
                let number = try #require(Int(photo.name))
                #expect(photo.data == Self.data(number), "\(problem)")
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.filter { $0.contains("migration") } == [])
        return isNew
    }

    @Test(arguments: Array(MigrationStep.allCases.indices))
    func aPlanIsKilledAtAStep(_ step: Int) async throws {
        try fill()
        await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL, step = step as Int] in
            try SuddenDeath.at(MigrationStep.allCases[step]) {
                _ = try Self.context(PhotosV3.self, url, plan: true)
            }
        }
        _ = try isNew()
        _ = try Self.context(PhotosV3.self, url, plan: true)
        #expect(try isNew())
    }

    @Test(arguments: [UInt32](arrayLiteral: 1_000, 50_000, 150_000, 400_000))
    func aPlanIsKilledAtAnyTime(_ time: UInt32) async throws {
        try fill()
        await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL, time = time as UInt32] in
            try SuddenDeath.within(microseconds: time) {
                _ = try Self.context(PhotosV3.self, url, plan: true)
            }
        }
        _ = try isNew()
        _ = try Self.context(PhotosV3.self, url, plan: true)
        #expect(try isNew())
    }

    @Test func aStoreIsMigratedOnceWhereManyOpenIt() async throws {
        try fill()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { [url] in
                    try Self.context(PhotosV3.self, url, plan: true).fetchCount(FetchDescriptor<PhotosV3.Photo>())
                }
            }
            for try await count in group { #expect(count == Self.count) }
        }
        #expect(try isNew())
    }

    @Test func whatAnotherContainerSavesDuringAMigrationIsNotLost() throws {
        enum Plan: SchemaMigrationPlan {
            nonisolated(unsafe) static var whileMigrating: () -> Void = {}
            static var schemas: [any VersionedSchema.Type] { [PhotosV1.self, PhotosV2.self] }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: PhotosV1.self, toVersion: PhotosV2.self, willMigrate: nil,
                        didMigrate: { _ in whileMigrating() })
                ]
            }
        }
        try fill()
        var isRefused = false
        Plan.whileMigrating = { [url] in
            do {
                let other = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    ofType: NSSQLiteStoreType, at: url, options: nil)
                var changed = other
                changed["note"] = "lost"
                try NSPersistentStoreCoordinator.setMetadata(
                    changed, forPersistentStoreOfType: NSSQLiteStoreType, at: url,
                    options: [NSPersistentStoreTimeoutOption: 1])
            } catch {
                isRefused = true
            }
        }
        _ = try ModelContainer(
            for: Schema(versionedSchema: PhotosV2.self), migrationPlan: Plan.self,
            configurations: ModelConfiguration(url: url))
        #expect(isRefused)
    }
}
#endif
