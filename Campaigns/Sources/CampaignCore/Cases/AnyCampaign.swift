import Foundation

/// A campaign of any type, for the command line.
package struct AnyCampaign: Sendable {
    package let name: String
    package let summary: String
    package let aim: String
    package let secondsPerCase: Int
    package let casesPerProcess: Int
    package let memoryLimit: Int?
    package let processLimit: Int?
    let open: @Sendable (Workspace) throws -> any CaseRunning

    package init<C: Campaign>(_ type: C.Type) {
        name = C.name
        summary = C.summary
        aim = C.aim
        secondsPerCase = C.secondsPerCase
        casesPerProcess = C.casesPerProcess
        memoryLimit = C.memoryLimit
        processLimit = C.processLimit
        open = { CaseRunner<C>(try C($0)) }
    }
}

/// Runs cases of a campaign whose input's type is not known.
protocol CaseRunning: AnyObject {
    var cycle: Int? { get }
    /// The input of a case as JSON.
    func input(_ index: Int, seed: UInt64) throws -> Data
    /// Makes a case's input and runs it.
    func run(_ index: Int, seed: UInt64, _ trial: Trial) throws
    /// Runs a kept input.
    func run(_ input: Data, _ trial: Trial) throws
}

private final class CaseRunner<C: Campaign>: CaseRunning {
    private var campaign: C

    init(_ campaign: C) { self.campaign = campaign }

    var cycle: Int? { campaign.cycle }

    private func make(_ index: Int, _ seed: UInt64) throws -> C.Input {
        var random = SplitMix64(seed: seed, case: index)
        return try campaign.input(index, &random)
    }

    func input(_ index: Int, seed: UInt64) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try encoder.encode(make(index, seed))
    }

    func run(_ index: Int, seed: UInt64, _ trial: Trial) throws {
        defer { trial.finish() }
        try campaign.run(make(index, seed), trial)
    }

    func run(_ input: Data, _ trial: Trial) throws {
        defer { trial.finish() }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        try campaign.run(decoder.decode(C.Input.self, from: input), trial)
    }
}
