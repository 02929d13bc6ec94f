/// The random numbers of the workload: any number of any stream can be made on its own.
public enum SplitMix64 {
    /// The `index`-th number (counted from 1) of the stream that starts at `seed`.
    public static func number(seed: UInt64, index: UInt64) -> UInt64 {
        var z = seed &+ index &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
