/// One run of one operation: its times in seconds and what it answered.
public struct Measurement: Sendable {
    public let wall: Double
    public let cpu: Double
    public let result: String

    public init(wall: Double, cpu: Double, result: String) {
        self.wall = wall
        self.cpu = cpu
        self.result = result
    }
}
