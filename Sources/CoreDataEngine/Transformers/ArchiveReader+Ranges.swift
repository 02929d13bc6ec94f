#if !canImport(ObjectiveC)
import Foundation

/// Objects whose members are sequences of whole numbers.
extension ArchiveReader {
    func indexSet() throws -> NSMutableIndexSet {
        let count = decodeInteger(forKey: "NSRangeCount")
        let numbers: [Int]
        if count == 1 {
            numbers = [decodeInteger(forKey: "NSLocation"), decodeInteger(forKey: "NSLength")]
        } else {
            numbers = count == 0 ? [] : try packedNumbers("NSRangeData")
        }
        guard count >= 0, numbers.count.isMultiple(of: 2), numbers.count / 2 == count else {
            throw ModelError.corrupt("An index set of the archive has a count of \(count).")
        }
        let set = NSMutableIndexSet()
        var end = 0
        for index in stride(from: 0, to: numbers.count, by: 2) {
            let (location, length) = (numbers[index], numbers[index + 1])
            guard location >= end, length > 0, length < NSNotFound - location else {
                throw ModelError.corrupt("An index set of the archive has a range at \(location).")
            }
            set.add(in: NSRange(location: location, length: length))
            end = location + length
        }
        return set
    }

    func indexPath() throws -> NSIndexPath {
        let count = decodeInteger(forKey: "NSIndexPathLength")
        let indexes: [Int]
        switch count {
        case 0: indexes = []
        case 1: indexes = [decodeInteger(forKey: "NSIndexPathValue")]
        default: indexes = try packedNumbers("NSIndexPathData")
        }
        guard indexes.count == count, indexes.allSatisfy({ $0 >= 0 }) else {
            throw ModelError.corrupt("An index path of the archive has a length of \(count).")
        }
        return NSIndexPath(indexes: indexes, length: count)
    }

    func attributedString() throws -> NSMutableAttributedString {
        let result = NSMutableAttributedString(string: try string("NSString"))
        let attributes = decodeObject(forKey: "NSAttributes")
        guard member("NSAttributeInfo") != nil, let list = attributes as? NSArray else {
            if let attributes { try set(attributes, NSRange(location: 0, length: result.length), of: result) }
            return result
        }
        // Pairs: how long a run is, and the index of its attributes.
        let runs = try packedNumbers("NSAttributeInfo")
        var location = 0
        for index in stride(from: 0, to: runs.count - 1, by: 2) {
            let (length, number) = (runs[index], runs[index + 1])
            guard length >= 0, length <= result.length - location, number >= 0, number < list.count else {
                throw ModelError.corrupt("An attributed string of the archive has a run of \(length) characters.")
            }
            try set(list.object(at: number), NSRange(location: location, length: length), of: result)
            location += length
        }
        return result
    }

    private func set(_ attributes: Any, _ range: NSRange, of string: NSMutableAttributedString) throws {
        guard let attributes = attributes as? [String: Any] else {
            throw ModelError.corrupt("An attributed string of the archive has attributes that aren't a dictionary.")
        }
        guard range.length > 0 else { return }
        let keys = attributes.map { (NSAttributedString.Key($0.key), $0.value) }
        string.setAttributes(Dictionary(keys) { $1 }, range: range)
    }

    func characterSet() throws -> NSCharacterSet {
        let isInverted = decodeBool(forKey: "NSIsInverted")
        let set: NSCharacterSet
        if member("NSBuiltinID") != nil {
            set = try builtIn()
        } else if let range = member("NSRange")?.wholeNumber {
            let (location, length) = (Int(range >> 32), Int(range & 0xFFFF_FFFF))
            guard location >= 0, location + length <= 0x11_0000 else {
                throw ModelError.corrupt("A character set of the archive has a range at \(location).")
            }
            set = NSCharacterSet(range: NSRange(location: location, length: length))
        } else if member("NSString") != nil {
            set = NSCharacterSet(charactersIn: try string("NSString"))
        } else {
            set = NSCharacterSet(bitmapRepresentation: try bitmap())
        }
        return isInverted ? set.inverted as NSCharacterSet : set
    }

    /// A set that Foundation has under a number.
    private func builtIn() throws -> NSCharacterSet {
        guard (1...15).contains(decodeInteger(forKey: "NSBuiltinID")), let set = NSCharacterSet(coder: self) else {
            throw ModelError.corrupt("A character set of the archive has an unknown number.")
        }
        return set
    }

    /// A bit for each character of the first plane, then for each further plane its number and its bits.
    private func bitmap() throws -> Data {
        let bitmap = try data("NSBitmap")
        let planeSize = 8192
        let planes = stride(from: planeSize, to: bitmap.count, by: planeSize + 1).map {
            bitmap[bitmap.startIndex + $0]
        }
        guard bitmap.count >= planeSize, (bitmap.count - planeSize).isMultiple(of: planeSize + 1),
            planes.allSatisfy({ (1...16).contains($0) }), zip(planes, planes.dropFirst()).allSatisfy({ $0 < $1 })
        else { throw ModelError.corrupt("A character set of the archive has a bitmap of \(bitmap.count) bytes.") }
        return bitmap
    }

    /// Whole numbers of 7 bits in each byte, the lowest first; all bytes but the last of a number have the highest bit.
    private func packedNumbers(_ key: String) throws -> [Int] {
        guard let bytes = bytes(key) else { throw ModelError.corrupt("An object of the archive has no \(key).") }
        var numbers: [Int] = []
        var number = 0
        var shift = 0
        for byte in bytes {
            guard shift < 63 else { throw ModelError.corrupt("The \(key) of the archive has a huge number.") }
            number |= Int(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 {
                numbers.append(number)
                (number, shift) = (0, 0)
            }
        }
        guard shift == 0 else { throw ModelError.corrupt("The \(key) of the archive is cut off.") }
        return numbers
    }
}
#endif
