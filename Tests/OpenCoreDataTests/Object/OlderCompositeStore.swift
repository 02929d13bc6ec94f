import Foundation
import OpenCoreData
import TestSupport

/// A store as the versions of this engine made it whose columns of composite attributes were named after the path to
/// the element: Person with a name and an address of street, number and name. Three rows.
enum OlderCompositeStore {
    /// Makes the store with the `sqlite3` command.
    static func make(at url: URL) throws {
        func hex(_ base64: String) -> String {
            (Data(base64Encoded: base64) ?? Data()).map { String(format: "%02X", $0) }.joined()
        }
        try SQLiteShell.run(
            """
            PRAGMA auto_vacuum = INCREMENTAL;
            CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZADDRESS_NUMBER INTEGER, ZADDRESS_NAME VARCHAR, ZADDRESS_STREET VARCHAR, ZNAME VARCHAR );
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            INSERT INTO ZPERSON VALUES
            (1,1,1,7,'Mill','Weg','Ann'), (2,1,1,NULL,NULL,'Ring','Bob'), (3,1,1,NULL,NULL,NULL,'Cy');
            INSERT INTO Z_PRIMARYKEY VALUES (1,'Person',0,3);
            INSERT INTO Z_METADATA VALUES (1,'6AA8715A-28BC-42E9-A629-5C65C53C9C81',x'\(hex(metadata))');
            INSERT INTO Z_MODELCACHE VALUES (x'\(hex(modelCache))');
            """, on: url)
    }

    /// The metadata, with hashes computed another way than Apple's.
    private static let metadata = """
        YnBsaXN0MDDZAQIDBAUGBwgJCgsNDg8QERIVXxAfTlNTdG9yZU1vZGVsVmVyc2lvbkhhc2hlc0RpZ2VzdF8QHk5TU3RvcmVNb2RlbFZlcnNp\
        b25JZGVudGlmaWVyc18QHU5TUGVyc2lzdGVuY2VGcmFtZXdvcmtWZXJzaW9uXxAkTlNQZXJzaXN0ZW5jZU1heGltdW1GcmFtZXdvcmtWZXJz\
        aW9uW05TU3RvcmVUeXBlXxAgTlNTdG9yZU1vZGVsVmVyc2lvbkhhc2hlc1ZlcnNpb25fEB5OU1N0b3JlTW9kZWxWZXJzaW9uQ2hlY2tzdW1L\
        ZXlfEBlOU1N0b3JlTW9kZWxWZXJzaW9uSGFzaGVzXxASX05TQXV0b1ZhY3V1bUxldmVsXxBYb0tvSVlHNWhFMy9ITFk5RG9UTDBiMVlxcXB4\
        ZzJzQjgwc250K3djdG9SNVZNc0RENHN3aVR0SkJDZCtVYUhvSnljOFljejRjb0VxS0c0UlNlamVpR0E9PaEMUBEF9hEF9lZTUUxpdGUQA18Q\
        LG8vQ29MOW42VHFTT2NCVmRPWXhIZnJUNFVsbGZiT3dtRTAzVE1oUmVYSjQ90RMUVlBlcnNvbk8QIAfWIUZdnrLjLwYzxknVw8Vy9+TBfii1\
        pXxh1TcwwWnjUTIACAAbAD0AXgB+AKUAsQDUAPUBEQEmAYEBgwGEAYcBigGRAZMBwgHFAcwB7wAAAAAAAAIBAAAAAAAAABYAAAAAAAAAAAAA\
        AAAAAAHx
        """

    /// The model, with the elements under another key than Apple's.
    private static let modelCache = """
        SyrIySwuMTAIVckrzclp4GpgaJBpkI3yC3bNK8ksyUwtjhcQ9wt2Sy1JzghKLSxNLS4JSc0tyEksAcmI+AWHpRYVZ+bneaakAtWnZQJ5YSrJ\
        OYnFxVdY2dg5GJmYWRpYG7gbGBt4GiQbpBrkYqAmV/ol5qaCTXAGqQbx3PKLIFJgYd/EvMT01BT/pKzU5BLf/JTUnFi/4ODSgtQikE0llWBe\
        EpgNdCXQ2ICifKAkxMlA/UGpeYm5mXnpCJfFC4jC3euRWJwBNBQsDvRsaHFqkWdeWv4tQSFhEVExcQlJDi5uHiZePi4mfoEG3gYmgc+cghwm\
        DXwCDA3iDRIN8nFw+8AeiYD5Kig+AOgUz2L/ghKgLYk58QL8fsGOJSVFmUmlJakhlQVAP0siiYQl5pSmwkMAaKpLalpiaU4JWDxeQAzoYBAr\
        pCgxrzgtvyg3tQikDuhit5zE9GLv1EpQTOWk5gL9CPQ20C7n/NyC/OLMklSQuruqauLqGppa2jq6evoc0jLSsnLyCkxMikrKKg1igkx7GgQb\
        FG4j1HAYyhjKyhkZA1WYhAUAAyo/byFXgyLQCr18cDQUX7LkMLcQYGxga1AKy0nNSy/JCMlOrSwOL4OE6hU7ewcOaxtr23gBjfh4YDoBxmVx\
        Tn5JfEl+dmpevEmykUm8pUVKcnxismFqfJK5uXF8/EIZoKHOFg3sDRwNnA3KscWpiUXJGb6JBQXAyIsCmxEC0h1WBgqI4queXt4OHK5u7tYe\
        8QJyQN/mJual+GTmpYbk5+foeQI9X1QCSzULFjSohAMdD3Li5UBLDj//gPDElJSi1GJQenHJTAbHUVFlgwByIIQyhcIDobikKDW1BBi7wcD4\
        yktvEBY40SCCrDiSKVJWLioarDivNDcptQio2A/MQAlYJnjAhgCTZWoDf4NQg+jixKRkoOdTLMIdIa5aJG3YwNzAsigjE+Tc9KwAoA9UQcyc\
        3LyABumFhQ1qQPVFxUA7ID5cJFwaBcluIFMjIMzU4kvlFcJl8QLCsFTpklqcXJQJTpKLqkqBslXV8QLySIkFnh6RVIJTH3YJYD6CpX4k8SW1\
        dfUgw2sbFkMYdU3A0HcsKkqsXNQC4re0xgtI+wV75+WX5wGTbjE0koFhCyxO0isN4wWkcMsubu8AmdHeCXYXXBUiFoHage7CIgEOCN/SksSk\
        nFSE6NLunt4QkIndfYshjN4Ji8B0yKRQYISnliyaAuJNmSrEwNi2AJy5gOampjgCk2cmMMGHFOXnl1ycybNeQJ2BU8rA1MzK0cnFxzcoOCQs\
        PCImNi4+ITUtOx+YfGsam9u6+idOnhahAs0nkSqgNA42RKUkvyBCBZq9rsyZO2/+9BmzZjNwMPAxCDAIMYgwiDEoMlgzBDFEMiQxpDCkMWQw\
        ZDHkMOQxFDDUMkxhWM2wk+E4wxWG14zMjHyMyoyqjOqMmoxajLqM+oyGjMaMpozmjG6M/oxBjPGMhYy9jHMYtzIeYDzNeJfxB+Mvxr+M/5kY\
        mSSY5JkUmZSZ9JiMmUyZzJksmRyYXJl8mcKYGpmamTqYuph6mPqYJjDNY1rJtIFpN9MdprtM95geML1ges/0nZmFmY1ZllmFWZdZn9mQ2ZjZ\
        izmQOYq5kLmMuYK5irmGuYG5lbmXeQLzJOYpzNOZ5zHPZ17AvIh5JfMq5jXM65g3MG9l3sd8kPkM81XmW8wfmD8z/2CRYjFm8WYJYAlliWSJ\
        Y0ljyWTJY+lhWcmylmUTy2mWxyw/Wf6zsrBysPKyCrCKskqzyrEqs2qwWrHaszqx5rCWstaztrD2MoABEyOEZlgIpRdAKNZpAA==
        """
}
