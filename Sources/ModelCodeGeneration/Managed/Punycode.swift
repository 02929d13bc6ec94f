/// The spelling of identifiers with letters outside ASCII: Punycode with the letters A to J for digits and `_` for the
/// dash.
enum Punycode {
    static func encode(_ string: String) -> String {
        let scalars = string.unicodeScalars.map(\.value)
        var result = scalars.filter { $0 < 0x80 }.compactMap { Unicode.Scalar($0).map(Character.init) }
        var handled = result.count
        let basic = handled
        if basic > 0 { result.append("_") }
        var (code, delta, bias): (UInt32, UInt32, UInt32) = (0x80, 0, 72)
        while handled < scalars.count, let next = scalars.filter({ $0 >= code }).min() {
            delta &+= (next - code) &* UInt32(handled + 1)
            code = next
            for scalar in scalars {
                if scalar < code { delta &+= 1 }
                guard scalar == code else { continue }
                appendNumber(delta, bias, to: &result)
                bias = adapted(delta, points: UInt32(handled + 1), isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta &+= 1
            code += 1
        }
        return String(result)
    }

    private static func appendNumber(_ delta: UInt32, _ bias: UInt32, to result: inout [Character]) {
        var rest = delta
        var step: UInt32 = 36
        while true {
            let threshold = step <= bias ? 1 : step >= bias + 26 ? 26 : step - bias
            if rest < threshold { break }
            result.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            step += 36
        }
        result.append(digit(rest))
    }

    private static func digit(_ value: UInt32) -> Character {
        let scalar = value < 26 ? UInt32(97) + value : UInt32(65) + value - 26
        return Character(Unicode.Scalar(UInt8(truncatingIfNeeded: scalar)))
    }

    private static func adapted(_ delta: UInt32, points: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / points
        var step: UInt32 = 0
        while delta > 455 {
            delta /= 35
            step += 36
        }
        return step + 36 * delta / (delta + 38)
    }
}
