import OpenCoreDataKit

// Shows chores by room while others add, move, tick off and delete them. Draws in the terminal; with --plain each step's
// batch and the lines after it are printed one below the other.

let isPlain = CommandLine.arguments.contains("--plain")
let model = Chore.makeModel()
let database = try await Database.open(
    .init(name: "Chores", model: .value(model), layout: .merging).inMemory())
let chores = Query(Chore.self).sorted(SortDescriptor(\.room), SortDescriptor(\.title))
let results = try LiveResults(chores, sectionedBy: \.room, in: database.main)
let surface = TerminalSurface(placeholder: "nothing to do") { if !isPlain { TerminalSurface.toStandardOutput($0) } }
if !isPlain { TerminalSurface.toStandardOutput("\u{1B}[2J") }
results.drive(surface) { chore, _ in "\(chore.isDone ? "[x]" : "[ ]") \(chore.title)" }

/// Writes in the background, and waits for the list to show it.
@MainActor func step(_ name: String, _ change: @escaping @Sendable (Context) throws -> Void) async throws {
    var batches = results.changes.makeAsyncIterator()
    try await database.write(change)
    guard let batch = await batches.next() else { return }
    if isPlain {
        print("\(name): \(batch) (\(surface.linesWritten) lines written)")
        for line in surface.lines { print("    \(line)") }
    } else {
        try await Task.sleep(for: .milliseconds(800))
    }
}

@Sendable func find(_ title: String, in context: Context) throws -> Chore {
    try context.one(Query(Chore.self).filter(NSPredicate(format: "title == %@", title)))
}

try await step("first chores") { context in
    for (title, room) in [("wash up", "kitchen"), ("sweep", "kitchen"), ("water the plants", "balcony")] {
        let chore = try context.create(Chore.self)
        chore.title = title
        chore.room = room
    }
}
try await step("one is done") { try find("sweep", in: $0).isDone = true }
try await step("one is for another room") { try find("sweep", in: $0).room = "balcony" }
try await step("a room of its own") { try find("water the plants", in: $0).room = "attic" }
try await step("another name") { try find("wash up", in: $0).title = "dry up" }
try await step("everything at once") { context in
    context.delete(try find("water the plants", in: context))
    try find("sweep", in: context).title = "mop"
    let bath = try context.create(Chore.self)
    bath.title = "clean the mirror"
    bath.room = "bath"
}
try await step("all gone") { context in _ = try context.delete(Query(Chore.self)) }
try await database.close()
