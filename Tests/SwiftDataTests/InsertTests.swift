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

    init() throws { folder = try TemporaryFolder() }

    private func context(_ kind: StoreKind) throws -> ModelContext {
        ModelContext(try ModelContainer(for: User.self, Trip.self, configurations: kind.configuration(folder)))
    }

    private func stored<T: PersistentModel>(_ type: T.Type, _ context: ModelContext) throws -> [T] {
        try ModelContext(context.container).fetch(FetchDescriptor<T>())
    }

    // MARK: Links

    @Test(arguments: StoreKind.here)
    func aLinkStaysWhoseOtherEndHasNoneOfItsOwn(_ kind: StoreKind) throws {
        let context = try context(kind)
        let user = User()
        let post = Post("a", author: user)
        user.favorite = post
        context.insert(user)
        #expect(post.author === user && user.posts == [post])
        try context.save()
        #expect(post.author === user)
        let found = try #require(try stored(User.self, context).first)
        #expect(found.posts.map(\.title) == ["a"] && found.favorite?.author === found)
    }

    @Test(arguments: StoreKind.here)
    func anArrayWithSomeOfTheMembersTakesNoneAway(_ kind: StoreKind) throws {
        let context = try context(kind)
        let user = User()
        let (first, second) = (Post("a", author: user), Post("b"))
        user.favorite = first
        user.posts = [second]
        context.insert(user)
        try context.save()
        #expect(second.author === user && first.author === user)
        #expect(Set(try #require(try stored(User.self, context).first).posts.map(\.title)) == ["a", "b"])
    }

    @Test(arguments: StoreKind.here)
    func aToOneWithoutModelTakesNoneAway(_ kind: StoreKind) throws {
        let context = try context(kind)
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
        #expect(try stored(Post.self, context).filter { $0.parent != nil }.count == 2)
    }

    @Test(arguments: StoreKind.here)
    func bothEndsOfManyToManysAddUp(_ kind: StoreKind) throws {
        let context = try context(kind)
        let (first, second) = (User(), User())
        let group = Group()
        group.first = first
        group.members = [second]
        first.groups = [group]
        context.insert(group)
        try context.save()
        #expect(Set(group.members) == [first, second])
        #expect(try #require(try stored(Group.self, context).first).members.count == 2)
    }

    @Test(arguments: StoreKind.here)
    func anAttributeThatWasSetToNilHasNoDefault(_ kind: StoreKind) throws {
        let context = try context(kind)
        let user = User()
        user.name = nil
        context.insert(user)
        try context.save()
        #expect(user.name == nil)
        #expect(try #require(try stored(User.self, context).first).name == nil)
    }

    // MARK: Rollback

    @Test(arguments: StoreKind.here)
    func aModelThatWasInsertedAndDeletedIsInNoContextAfterARollback(_ kind: StoreKind) throws {
        let context = try context(kind)
        let trip = Trip(name: "Rome")
        context.insert(trip)
        context.delete(trip)
        context.rollback()
        #expect(trip.modelContext == nil && trip.name == "Rome" && !context.hasChanges)
        try context.save()
        #expect(try stored(Trip.self, context).isEmpty)
        context.insert(trip)
        trip.days = 8
        try context.save()
        #expect(try stored(Trip.self, context).map(\.days) == [8])
    }

    @Test(arguments: StoreKind.here)
    func aNewModelThatADeletionTakesWithItIsInNoContextAfterARollback(_ kind: StoreKind) throws {
        let context = try context(kind)
        let trip = Trip(name: "Rome")
        context.insert(trip)
        try context.save()
        let stop = Stop(title: "Forum")
        trip.stops.append(stop)
        context.delete(trip)
        context.rollback()
        #expect(stop.modelContext == nil && stop.title == "Forum")
        #expect(trip.modelContext == context && !trip.isDeleted && trip.stops.isEmpty)
        trip.stops.append(stop)
        context.delete(trip)
        context.processPendingChanges()
        #expect(stop.modelContext == nil && stop.title == "Forum")
        context.rollback()
        #expect(stop.modelContext == nil && stop.title == "Forum" && trip.stops.isEmpty)
        context.insert(stop)
        try context.save()
        #expect(try stored(Stop.self, context).map(\.title) == ["Forum"])
        #expect(try stored(Trip.self, context).map(\.name) == ["Rome"])
    }

    @Test(arguments: StoreKind.here)
    func aGraphThatWasTakenBackIsInsertedAgainAsItWas(_ kind: StoreKind) throws {
        let context = try context(kind)
        let trip = Trip(name: "Rome")
        context.insert(trip)
        // The program holds none of the stops.
        trip.stops = [Stop(title: "Forum"), Stop(title: "Trevi")]
        context.rollback()
        #expect(trip.stops.map(\.title) == ["Forum", "Trevi"])
        #expect(trip.stops.allSatisfy { $0.modelContext == nil && $0.trip === trip })
        context.insert(trip)
        try context.save()
        #expect(try stored(Stop.self, context).map { $0.trip?.name } == ["Rome", "Rome"])
    }

    @Test(arguments: StoreKind.here)
    func whatAModelThatWasTakenBackLeadsToStays(_ kind: StoreKind) throws {
        let context = try context(kind)
        // The program holds neither of the users.
        let post = Post("a", author: User())
        let group = Group()
        group.first = User()
        context.insert(post)
        context.insert(group)
        #expect(post.author?.posts.count == 1)
        context.rollback()
        #expect(post.author?.name == "new" && group.first?.name == "new")
        context.insert(post)
        context.insert(group)
        try context.save()
        #expect(post.author?.posts.map(\.title) == ["a"] && group.first != nil)
        #expect(try stored(Post.self, context).map { $0.author?.name } == ["new"])
        #expect(try stored(Group.self, context).map { $0.first?.name } == ["new"])
    }

    @Test func aModelThatWasTakenBackIsReleasedWithWhatItLeadsTo() throws {
        let context = try context(.file)
        weak var author: User?
        do {
            let post = Post("a", author: User())
            post.replies = [Post("b"), Post("c")]
            context.insert(post)
            context.rollback()
            author = post.author
            #expect(author?.posts.count == 1 && Set(post.replies.map(\.title)) == ["b", "c"])
        }
        #expect(author == nil)
    }

    @Test func modelsThatWereTakenBackDoNotKeepEachOther() throws {
        let context = try context(.file)
        weak var trip: Trip?
        weak var stop: Stop?
        do {
            let made = Trip(name: "Rome")
            (trip, stop) = (made, nil)
            context.insert(made)
            made.stops = [Stop(title: "Forum")]
            stop = made.stops.first
            context.rollback()
            #expect(made.stops.count == 1 && stop?.trip === made)
        }
        #expect(trip == nil && stop == nil)
    }

    @Test(arguments: StoreKind.here)
    func aModelOfAnotherContextIsNoMemberAfterARefusal(_ kind: StoreKind) throws {
        let context = try context(kind)
        let trip = Trip(name: "Rome")
        context.insert(trip)
        try context.save()
        let stop = Stop(title: "Forum")
        let other = ModelContext(context.container)
        other.insert(stop)
        try other.save()
        trip.stops.append(stop)
        #expect(trip.stops.isEmpty)
        #expect(throws: SwiftDataError.missingModelContext) { try context.save() }
        context.rollback()
        #expect(trip.stops.isEmpty)
    }

    // MARK: Duplicates

    @Test(arguments: StoreKind.here)
    func bothModelsOfADuplicateShowTheRow(_ kind: StoreKind) throws {
        let context = try context(kind)
        let first = Trip(name: "Rome")
        context.insert(first)
        first.stops = [Stop(title: "Forum")]
        try context.save()
        let second = Trip(name: "Rome")
        second.days = 9
        context.insert(second)
        second.stops = [Stop(title: "Trevi")]
        try context.save()
        #expect(first.days == 9 && second.days == 9 && first == second && second.modelContext == context)
        #expect(Set(second.stops.map(\.title)) == ["Forum", "Trevi"] && first.stops.count == 2)
        second.days = 11
        #expect(first.days == 11 && context.hasChanges)
        try context.save()
        #expect(try stored(Trip.self, context).map(\.days) == [11])
        first.days = 12
        try context.save()
        #expect(second.days == 12)
        #expect(try context.fetch(FetchDescriptor<Trip>()).map { $0 === first } == [true])
        context.delete(second)
        try context.save()
        #expect(first.modelContext == nil && second.modelContext == nil)
        #expect(first.name == "Rome" && second.days == 12)
        #expect(try stored(Trip.self, context).isEmpty)
    }

    @Test(arguments: StoreKind.here)
    func twoNewModelsWithOneValueShowOneRow(_ kind: StoreKind) throws {
        let context = try context(kind)
        let (first, second) = (Trip(name: "Rome"), Trip(name: "Rome"))
        context.insert(first)
        context.insert(second)
        try context.save()
        first.days = 7
        #expect(second.days == 7 && first == second)
        second.days = 8
        try context.save()
        #expect(first.days == 8)
        #expect(try stored(Trip.self, context).map(\.days) == [8])
    }

    @Test(arguments: StoreKind.here)
    func aModelWhoseRowGoesToAnotherLeavesTheContext(_ kind: StoreKind) throws {
        let context = try context(kind)
        let (first, second) = (Trip(name: "Rome"), Trip(name: "Oslo"))
        context.insert(first)
        context.insert(second)
        first.days = 5
        try context.save()
        second.name = "Rome"
        try context.save()
        #expect(first.modelContext == nil && first.name == "Rome" && first.days == 5)
        #expect(second.modelContext == context && second.name == "Rome")
        #expect(try stored(Trip.self, context).count == 1)
    }

    // MARK: Deletion

    @Test(arguments: StoreKind.here)
    func insertingADeletedModelTakesTheDeletionBack(_ kind: StoreKind) throws {
        let context = try context(kind)
        let trip = Trip(name: "Rome")
        context.insert(trip)
        try context.save()
        context.delete(trip)
        context.insert(trip)
        #expect(!trip.isDeleted)
        try context.save()
        #expect(try stored(Trip.self, context).map(\.name) == ["Rome"])
        context.delete(trip)
        context.processPendingChanges()
        context.insert(trip)
        trip.days = 9
        try context.save()
        #expect(try stored(Trip.self, context).map(\.days) == [9])
    }

    @Test(arguments: StoreKind.here)
    func insertingAModelAgainThatWasNeverSavedInsertsIt(_ kind: StoreKind) throws {
        let context = try context(kind)
        let trip = Trip(name: "Rome")
        context.insert(trip)
        context.delete(trip)
        context.insert(trip)
        #expect(trip.modelContext == context && trip.name == "Rome")
        try context.save()
        #expect(try stored(Trip.self, context).map(\.name) == ["Rome"])
    }
}
#endif
