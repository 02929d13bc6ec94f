#if !canImport(ObjectiveC)
import Foundation

/// The class of an archived object, as far as it can be made.
enum ArchivedType {
    /// A class whose objects are made without `init(coder:)`.
    case usual(UsualClass)
    /// A class that reads its members itself.
    case coding(AnyClass, any NSSecureCoding.Type)

    /// Classes whose `init(coder:)` wants Foundation's own unarchiver, or stops the program at a damaged archive. Nearly
    /// all archives consist of objects of these.
    enum UsualClass: String {
        case array = "NSArray"
        case mutableArray = "NSMutableArray"
        case dictionary = "NSDictionary"
        case mutableDictionary = "NSMutableDictionary"
        case set = "NSSet"
        case mutableSet = "NSMutableSet"
        case countedSet = "NSCountedSet"
        case orderedSet = "NSOrderedSet"
        case mutableOrderedSet = "NSMutableOrderedSet"
        case string = "NSString"
        case mutableString = "NSMutableString"
        case data = "NSData"
        case mutableData = "NSMutableData"
        case date = "NSDate"
        case uuid = "NSUUID"
        case url = "NSURL"
        case queryItem = "NSURLQueryItem"
        case null = "NSNull"
        case characterSet = "NSCharacterSet"
        case mutableCharacterSet = "NSMutableCharacterSet"
        case indexSet = "NSIndexSet"
        case mutableIndexSet = "NSMutableIndexSet"
        case indexPath = "NSIndexPath"
        case attributedString = "NSAttributedString"
        case mutableAttributedString = "NSMutableAttributedString"

        var type: AnyClass {
            switch self {
            case .array: NSArray.self
            case .mutableArray: NSMutableArray.self
            case .dictionary: NSDictionary.self
            case .mutableDictionary: NSMutableDictionary.self
            case .set: NSSet.self
            case .mutableSet: NSMutableSet.self
            case .countedSet: NSCountedSet.self
            case .orderedSet: NSOrderedSet.self
            case .mutableOrderedSet: NSMutableOrderedSet.self
            case .string: NSString.self
            case .mutableString: NSMutableString.self
            case .data: NSData.self
            case .mutableData: NSMutableData.self
            case .date: NSDate.self
            case .uuid: NSUUID.self
            case .url: NSURL.self
            case .queryItem: NSURLQueryItem.self
            case .null: NSNull.self
            case .characterSet: NSCharacterSet.self
            case .mutableCharacterSet: NSMutableCharacterSet.self
            case .indexSet: NSIndexSet.self
            case .mutableIndexSet: NSMutableIndexSet.self
            case .indexPath: NSIndexPath.self
            case .attributedString: NSAttributedString.self
            case .mutableAttributedString: NSMutableAttributedString.self
            }
        }
    }

    /// The class with a name; `nil` if it doesn't exist or can't be read securely.
    init?(_ name: String) {
        if let usual = UsualClass(rawValue: name) {
            self = .usual(usual)
            return
        }
        guard let type = NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name),
            let coding = type as? any NSSecureCoding.Type, coding.supportsSecureCoding
        else { return nil }
        self = .coding(type, coding)
    }

    var type: AnyClass {
        switch self {
        case .usual(let usual): usual.type
        case .coding(let type, _): type
        }
    }
}
#endif
