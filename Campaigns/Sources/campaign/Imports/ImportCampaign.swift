import CampaignCore
import Foundation
import OpenCoreData
import TestSupport

/// `opencoredata import` into a new store and into one that is there, killed at any moment or with a system call that
/// fails: all objects are there, or none. And of objects that may contradict each other: what was said is there, or was
/// refused.
///
/// The command is the program that `CAMPAIGN_COMMAND` names.
struct ImportCampaign: Campaign {
    struct Input: Codable {
        enum Trouble: Codable {
            /// Killed so many thousandths of the usual time after its start.
            case kill(Int)
            /// The n-th system call fails, n being so many thousandths of all calls.
            case fault(Int, effect: String, isForever: Bool)
            /// Objects that may contradict each other.
            case teams(ImportedTeams)
        }

        var isNew: Bool
        var trouble: Trouble
        /// Whether the import is tried again afterwards.
        var isRepeated: Bool
    }

    static let name = "imports"
    static let summary =
        "The command's import, killed, with a failing disk, or of contradicting objects: all is there as said, or nothing."
    static let aim = "1,000 imports"
    static let secondsPerCase = 300
    /// Objects of the store that is there, and of the input.
    private static let (before, added) = (40, 2_600)

    private let workspace: Workspace
    private let command: URL
    private let library: URL
    private let export: URL
    private let model: NSManagedObjectModel
    /// The compiled model of what may contradict itself.
    private let teamModel: URL
    private let store: [String: Data]
    /// How long an import takes, and how many calls it makes: into a store that is there, and into a new one.
    private var usual: [Bool: (seconds: Double, calls: Int)] = [:]

    init(_ workspace: Workspace) throws {
        guard let path = ProcessInfo.processInfo.environment["CAMPAIGN_COMMAND"] else {
            throw CampaignFailure("CAMPAIGN_COMMAND does not name the command", "Scripts/campaign sets it.")
        }
        self.workspace = workspace
        command = URL(fileURLWithPath: path)
        library = try FaultLibrary.file(beside: workspace.program)
        let folder = workspace.folder.appendingPathComponent("imports")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        model = LibraryModel.make()
        let source = folder.appendingPathComponent("Source.sqlite")
        try Self.fill(source, model, Self.added)
        export = folder.appendingPathComponent("export.json")
        let end = try ChildProcess(command, ["export", source.path, "-o", export.path, "--force"]).wait()
        guard end == .exited(0) else { throw CampaignFailure("The export does not work", "\(end)") }
        let target = folder.appendingPathComponent("target")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        try Self.fill(target.appendingPathComponent(StoreTemplate.name), model, Self.before)
        store = try StoreTemplate.read(target)
        teamModel = folder.appendingPathComponent("Teams.mom")
        try ImportedTeams.model().encodedCompiledModel().write(to: teamModel)
        for isNew in [false, true] { usual[isNew] = try measure(isNew) }
    }

    private static func fill(_ url: URL, _ model: NSManagedObjectModel, _ count: Int) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            var author: NSManagedObject?
            for number in 0..<count {
                if number.isMultiple(of: 20) {
                    author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                    author?.setValue("Author \(number)", forKey: "name")
                    continue
                }
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue("Book \(number)", forKey: "title")
                book.setValue(author, forKey: "author")
            }
            try context.save()
        }
        try coordinator.remove(store)
    }

    /// An import that nothing happens to.
    private func measure(_ isNew: Bool) throws -> (Double, Int) {
        let folder = workspace.folder.appendingPathComponent("measured-\(isNew)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let location = try prepare(folder, isNew)
        let result = folder.appendingPathComponent("result")
        let began = ContinuousClock.now
        let process = try start(location, folder, fault: ["FAULT_CALL": "0", "FAULT_RESULT": result.path])
        guard process.wait() == .exited(0), try count(location) == Self.added + (isNew ? 0 : Self.before) else {
            throw CampaignFailure("The import does not work", words(folder))
        }
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        let calls = (try? String(contentsOf: result, encoding: .utf8))?.split(separator: " ").first.flatMap { Int($0) }
        return (seconds, calls ?? 0)
    }

    /// A folder with a store, or with the place for one.
    private func prepare(_ folder: URL, _ isNew: Bool) throws -> URL {
        let disk = folder.appendingPathComponent("disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        if !isNew { try StoreTemplate.write(store, to: disk) }
        return disk.appendingPathComponent(StoreTemplate.name)
    }

    private func start(_ location: URL, _ folder: URL, fault: [String: String] = [:]) throws -> ChildProcess {
        var environment = ["SWIFT_BACKTRACE": "enable=no"]
        if !fault.isEmpty {
            environment["LD_PRELOAD"] = library.path
            environment["FAULT_FOLDER"] = location.deletingLastPathComponent().path
            environment.merge(fault) { $1 }
        }
        return try ChildProcess(
            command, ["import", location.path, export.path], environment: environment,
            errors: folder.appendingPathComponent("errors"))
    }

    private func words(_ folder: URL) -> String {
        (try? String(contentsOf: folder.appendingPathComponent("errors"), encoding: .utf8)) ?? ""
    }

    func input(_ index: Int, _ random: inout SplitMix64) throws -> Input {
        if random.chance(70) {
            return Input(isNew: true, trouble: .teams(ImportedTeams(&random)), isRepeated: random.chance(20))
        }
        let effect = random.pick(["EIO", "ENOSPC", "EINTR", "SHORT"])
        // A call that is interrupted for ever is tried for ever.
        let mayLast = effect == "EIO" || effect == "ENOSPC"
        return Input(
            isNew: random.chance(50),
            trouble: random.chance(50)
                ? .kill(random.below(1_050))
                : .fault(1 + random.below(1_000), effect: effect, isForever: mayLast && random.chance(30)),
            isRepeated: random.chance(30))
    }

    func run(_ input: Input, _ trial: Trial) throws {
        let folder = try trial.folder()
        if case .teams(let teams) = input.trouble {
            return try ImportedTeamsRun(command: command, model: teamModel, folder: folder, teams: teams)
                .check(trial, isPlanted: workspace.isPlanted && input.isRepeated)
        }
        let location = try prepare(folder, input.isNew)
        guard let usual = usual[input.isNew] else { return }
        let end: ChildProcess.End?
        switch input.trouble {
        case .kill(let thousandths):
            let process = try start(location, folder)
            usleep(UInt32(usual.seconds * Double(thousandths) * 1_000))
            end = process.poll()
            process.kill()
            trial.count(end == nil ? "kills" : "ended before it was killed")
        case .fault(let thousandths, let effect, let isForever):
            var fault = ["FAULT_CALL": "\(max(1, usual.calls * thousandths / 1_000))", "FAULT_EFFECT": effect]
            if isForever { fault["FAULT_FOREVER"] = "1" }
            end = try start(location, folder, fault: fault).wait(atMostSeconds: 120)
            guard let end else { throw CampaignFailure("An import with a fault hangs", words(folder)) }
            guard case .exited(let status) = end else {
                throw CampaignFailure("An import with a fault dies: \(end)", words(folder))
            }
            guard status == 0 || words(folder).hasPrefix("opencoredata: ") else {
                throw CampaignFailure("An import that fails says nothing", words(folder))
            }
            trial.count(status == 0 ? "worked in spite of a fault" : "refused")
        case .teams: return
        }
        let isDone = try verify(location, input, end, folder)
        trial.count(isDone ? "all objects" : input.isNew ? "no store" : "unchanged")
        guard input.isRepeated, !isDone else { return }
        guard try start(location, folder).wait() == .exited(0) else {
            throw CampaignFailure("An import cannot be repeated", words(folder))
        }
        guard try verify(location, input, .exited(0), folder) else {
            throw CampaignFailure("A repeated import lacks objects")
        }
        trial.count("repeated")
    }

    /// Looks at what is left.
    ///
    /// - Returns: Whether the objects are there.
    private func verify(_ location: URL, _ input: Input, _ end: ChildProcess.End?, _ folder: URL) throws -> Bool {
        let isThere = FileManager.default.fileExists(atPath: location.path)
        guard isThere || input.isNew else { throw CampaignFailure("The store is gone", words(folder)) }
        let old = input.isNew ? 0 : Self.before
        let found = isThere ? try count(location) : 0
        let isDone = found == old + Self.added - (workspace.isPlanted && input.isRepeated ? 1 : 0)
        guard isDone || (input.isNew ? !isThere : found == old) else {
            throw CampaignFailure("An import is there by half", "\(found) objects; \(words(folder))")
        }
        switch end {
        case .exited(0)? where !isDone: throw CampaignFailure("An import that said it was done is lost", words(folder))
        case .exited(let status)? where status != 0 && isDone:
            throw CampaignFailure("An import that said it failed is there", words(folder))
        default: break
        }
        guard isThere else { return false }
        let findings = try StoreChecker.findings(inStoreAt: location, model: model)
        guard findings.isEmpty else {
            throw CampaignFailure("The checker finds something", findings.map(\.message).joined(separator: "\n"))
        }
        return isDone
    }

    private func count(_ store: URL) throws -> Int {
        let string = try SQLiteShell.run(
            "SELECT (SELECT count(*) FROM ZBOOK) + (SELECT count(*) FROM ZAUTHOR)", on: store)
        return Int(string) ?? -1
    }
}
