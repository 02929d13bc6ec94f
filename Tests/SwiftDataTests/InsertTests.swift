#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

private enum Forum {
    // `favorite` comes first, so that it brings in a post that refers to the user.
    @Model final class User {
        var favorite: Post?
        @Relationship(inverse: \Post.author) var posts: [Post] = []
        @Relationship(inverse: \Group.members) var groups: [Group]? = []
        var name: String? = "new"
        init() {}
    }

    @Model final class Post {
        var title: String
        var author: User?
        var parent: Post?
        @Relationship(inverse: \Post.parent) var replies: [Post] = []
        init(_ title: String, author: User? = nil) {
            self.title = title
            self.author = author
        }
    }

    @Model final class Group {
        var first: User?
        var members: [User] = []
        init() {}
    }
}

/// What inserting a graph of models makes of its links, and inserting models that are to be deleted.
struct InsertTests {
    private typealias User = Forum.User
    private typealias Post = Forum.Post
    private typealias Group = Forum.Group

    private let folder: TemporaryFolder
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: User.self, Trip.self, configurations: ModelConfiguration(url: folder.file("forum.store")))
        context = ModelContext(container)
    }

    private func stored<T: PersistentModel>(_ type: T.Type) throws -> [T] {
        try ModelContext(container).fetch(FetchDescriptor<T>())
    }

    // MARK: Links

    @Test func aLinkStaysWhoseOtherEndHasNoneOfItsOwn() throws {
        let user = User()
        let post = Post("a", author: user)
        user.favorite = post
        context.insert(user)
        #expect(post.author === user && user.posts == [post])
        try context.save()
        #expect(post.author === user)
        let found = try #require(try stored(User.self).first)
        #expect(found.posts.map(\.title) == ["a"] && found.favorite?.author === found)
    }

    @Test func anArrayWithSomeOfTheMembersTakesNoneAway() throws {
        let user = User()
        let (first, second) = (Post("a", author: user), Post("b"))
        user.favorite = first
        user.posts = [second]
        context.insert(user)
        try context.save()
        #expect(second.author === user && first.author === user)
        #expect(Set(try #require(try stored(User.self).first).posts.map(\.title)) == ["a", "b"])
    }

    @Test func aToOneWithoutModelTakesNoneAway() throws {
        let post = Post("a")
        let reply = Post("b")
        // The reply doesn't know its parent.
        post.replies = [reply]
        context.insert(post)
        try context.save()
        #expect(reply.parent === post)
        let other = Post("c")
        other.replies = [Post("d")]
        context.insert(try #require(other.replies.first))
        context.insert(other)
        try context.save()
        #expect(other.replies.first?.parent === other)
        #expect(try stored(Post.self).filter { $0.parent != nil }.count == 2)
    }

    @Test func bothEndsOfManyToManysAddUp() throws {
        let (first, second) = (User(), User())
        let group = Group()
        group.first = first
        group.members = [second]
        first.groups = [group]
        context.insert(group)
        try context.save()
        #expect(Set(group.members) == [first, second])
        #expect(try #require(try stored(Group.self).first).members.count == 2)
    }

    @Test func anAttributeThatWasSetToNilHasNoDefault() throws {
        let user = User()
        user.name = nil
        context.insert(user)
        try context.save()
        #expect(user.name == nil)
        #expect(try #require(try stored(User.self).first).name == nil)
    }

    // MARK: Deletion

    @Test func insertingADeletedModelTakesTheDeletionBack() throws {
        let trip = Trip(name: "Rome")
        context.insert(trip)
        try context.save()
        context.delete(trip)
        context.insert(trip)
        #expect(!trip.isDeleted)
        try context.save()
        #expect(try stored(Trip.self).map(\.name) == ["Rome"])
        context.delete(trip)
        context.processPendingChanges()
        context.insert(trip)
        trip.days = 9
        try context.save()
        #expect(try stored(Trip.self).map(\.days) == [9])
    }

    @Test func insertingAModelAgainThatWasNeverSavedInsertsIt() throws {
        let trip = Trip(name: "Rome")
        context.insert(trip)
        context.delete(trip)
        context.insert(trip)
        #expect(trip.modelContext == context && trip.name == "Rome")
        try context.save()
        #expect(try stored(Trip.self).map(\.name) == ["Rome"])
    }
}
#endif
