/// A part of a predicate over transactions that may say after which token they are.
protocol TokenBound {
    /// A token that all transactions are after for which the part is true.
    var lowerToken: DefaultHistoryToken? { get }
}

/// The property of a transaction that is compared.
private protocol TransactionProperty {
    var keyPathOfTransaction: AnyKeyPath? { get }
}

private protocol TokenConstant {
    var token: DefaultHistoryToken? { get }
}

extension PredicateExpressions.KeyPath: TransactionProperty {
    fileprivate var keyPathOfTransaction: AnyKeyPath? {
        root is PredicateExpressions.Variable<DefaultHistoryTransaction> ? keyPath : nil
    }
}

extension PredicateExpressions.Value: TokenConstant {
    fileprivate var token: DefaultHistoryToken? { value as? DefaultHistoryToken }
}

extension PredicateExpressions.Comparison: TokenBound {
    var lowerToken: DefaultHistoryToken? {
        let isToken = { (side: Any) in
            (side as? any TransactionProperty)?.keyPathOfTransaction == \DefaultHistoryTransaction.token
        }
        switch op {
        case .greaterThan where isToken(lhs): return (rhs as? any TokenConstant)?.token
        case .lessThan where isToken(rhs): return (lhs as? any TokenConstant)?.token
        default: return nil
        }
    }
}

extension PredicateExpressions.Conjunction: TokenBound {
    var lowerToken: DefaultHistoryToken? {
        let tokens = [lhs as Any, rhs as Any].compactMap { ($0 as? any TokenBound)?.lowerToken }
        return tokens.max()
    }
}
