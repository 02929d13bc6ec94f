import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

/// Threads that save, and post, at the same time.
@Suite struct PostingTests {
    /// An observer has another thread save, and waits for it: that one posts too.
    @Test func anObserverMayWaitForAnotherThreadThatPosts() throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        let (first, second) = (stack.context(), stack.context())
        let waited = Mutex<[DispatchTimeoutResult]>([])
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: first, queue: nil
        ) { _ in
            let done = DispatchSemaphore(value: 0)
            Thread {
                second.performAndWait {
                    _ = Book(context: second)
                    do { try second.save() } catch { Issue.record(error) }
                }
                done.signal()
            }.start()
            let result = done.wait(timeout: .now() + 20)
            waited.withLock { $0.append(result) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try first.performAndWait {
            for _ in 0..<20 {
                _ = Book(context: first)
                try first.save()
            }
        }
        #expect(waited.withLock { $0 } == Array(repeating: .success, count: 20))
        #expect(try stack.inContext { try $0.count(for: Book.fetchRequest()) } == 40)
    }

    /// Each observer sees each save of its context once, on the thread that saves, also where it saves another one itself.
    @Test func savesOfManyThreadsAreObservedOnceEachOnTheirThreads() throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        let contexts: [(outer: NSManagedObjectContext, inner: NSManagedObjectContext)] = (0..<8).map { _ in
            (stack.context(), stack.context())
        }
        let seen = Mutex<[ObjectIdentifier: Int]>([:])
        let elsewhere = Mutex(0)
        let tokens: [any NSObjectProtocol] = contexts.flatMap { outer, inner in
            [outer, inner].map { (context: NSManagedObjectContext) -> any NSObjectProtocol in
                NotificationCenter.default.addObserver(
                    forName: .NSManagedObjectContextDidSave, object: context, queue: nil
                ) { _ in
                    seen.withLock { $0[ObjectIdentifier(context), default: 0] += 1 }
                    if Thread.current.threadDictionary["context"] as? NSManagedObjectContext !== outer {
                        elsewhere.withLock { $0 += 1 }
                    }
                    guard context === outer else { return }
                    inner.performAndWait {
                        _ = Book(context: inner)
                        do { try inner.save() } catch { Issue.record(error) }
                    }
                }
            }
        }
        defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
        let group = DispatchGroup()
        for (outer, _) in contexts {
            group.enter()
            Thread {
                Thread.current.threadDictionary["context"] = outer
                outer.performAndWait {
                    for _ in 0..<25 {
                        _ = Book(context: outer)
                        do { try outer.save() } catch { Issue.record(error) }
                    }
                }
                group.leave()
            }.start()
        }
        #expect(group.wait(timeout: .now() + 60) == .success)
        #expect(seen.withLock { $0.values.sorted() } == Array(repeating: 25, count: 16))
        #expect(elsewhere.withLock { $0 } == 0)
    }
}
