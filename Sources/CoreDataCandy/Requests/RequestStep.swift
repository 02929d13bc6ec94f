/// A step in building a request. Each step allows the following ones: creation, target, predicate, sort.
public protocol RequestStep {}

/// A step after which a request can be run and adjusted: it has a target.
public protocol FetchableStep: RequestStep {}

/// A step after which a request can be sorted.
public protocol SortableStep: FetchableStep {}

/// The request was begun.
public enum CreationStep: RequestStep {}

/// The request says how many results it wants.
public enum TargetStep: SortableStep {}

/// The request has a predicate.
public enum PredicateStep: SortableStep {}

/// The request has an order.
public enum SortStep: FetchableStep {}
