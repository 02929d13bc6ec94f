/// One search for failures: makes inputs from random numbers, runs them and throws for whatever must not happen.
///
/// Cases run in child processes, so a case that traps or hangs is a failure like any other. A campaign's value lives as
/// long as such a process; what is costly to make is made in `init` and shared by its cases.
package protocol Campaign: SendableMetatype {
    /// What a case needs besides the campaign itself. A failing input is kept in a file and run again from there.
    associatedtype Input: Codable

    /// How the campaign is called on the command line.
    static var name: String { get }
    /// What it does, in one line.
    static var summary: String { get }
    /// How much of it is to be run without a failure, for the table of figures.
    static var aim: String { get }
    /// Seconds after which a case counts as hanging.
    static var secondsPerCase: Int { get }
    /// After so many cases the process is replaced by a new one.
    static var casesPerProcess: Int { get }
    /// Most bytes of memory that the process may have; nil for no limit.
    static var memoryLimit: Int? { get }
    /// Most processes at a time; nil for as many as asked for.
    static var processLimit: Int? { get }

    /// - Throws: When the campaign cannot be run on this machine.
    init(_ workspace: Workspace) throws

    /// The number of cases after which each has been run once; nil where cases are random.
    var cycle: Int? { get }

    /// Makes a case's input. The same index and numbers make the same input.
    mutating func input(_ index: Int, _ random: inout SplitMix64) throws -> Input

    /// Runs a case.
    ///
    /// - Throws: For whatever must not be; a `CampaignFailure` where the campaign itself finds it.
    mutating func run(_ input: Input, _ trial: Trial) throws
}

extension Campaign {
    package static var aim: String { "" }
    package static var secondsPerCase: Int { 120 }
    package static var casesPerProcess: Int { 5_000 }
    package static var memoryLimit: Int? { 6 << 30 }
    package static var processLimit: Int? { nil }
    package var cycle: Int? { nil }
}
