/// A node of an ``OrderedTree``, and at the same time the handle by which its position is found.
class TreeNode {
    @exclusivity(unchecked) fileprivate final var left: TreeNode?
    @exclusivity(unchecked) fileprivate final var right: TreeNode?
    // Unretained: a parent owns its children, and clears this when it releases them.
    @exclusivity(unchecked) fileprivate final unowned(unsafe) var parent: TreeNode?
    /// How many nodes the subtree has.
    @exclusivity(unchecked) fileprivate final var count = 1

    fileprivate final func recount() { count = 1 + (left?.count ?? 0) + (right?.count ?? 0) }
}

/// An ordered list whose elements know their position: a weight-balanced tree with counts.
///
/// Insertion, removal, the element at an index and the index of an element cost O(log n). The elements are the nodes; one
/// can be in one tree at a time.
final class OrderedTree<Node: TreeNode> {
    private var root: TreeNode?

    init() {}

    deinit {
        // Nodes may outlive their tree and must not lead to freed parents.
        root.map { Self.detach($0) }
    }

    /// Creates a tree of nodes that are in order already, in O(n).
    init(_ nodes: ContiguousArray<Node>) { root = Self.build(nodes[...]) }

    var count: Int { root?.count ?? 0 }
    var isEmpty: Bool { root == nil }

    /// The first node.
    var first: Node? {
        var current = root
        while let next = current?.left { current = next }
        return current.map(Self.typed)
    }

    /// The node at an index that is in range.
    subscript(index: Int) -> Node {
        programmerError(unless: index >= 0 && index < count, "The index \(index) is not in 0..<\(count).")
        var rest = index
        var current = root
        while let node = current {
            let before = node.left?.count ?? 0
            if rest == before { return Self.typed(node) }
            if rest < before {
                current = node.left
            } else {
                rest -= before + 1
                current = node.right
            }
        }
        programmerError("The counts of the tree are wrong.")
    }

    /// Where a node of this tree stands.
    func index(of node: Node) -> Int {
        var index = node.left?.count ?? 0
        var current: TreeNode = node
        while let parent = current.parent {
            if parent.right === current { index += 1 + (parent.left?.count ?? 0) }
            current = parent
        }
        return index
    }

    /// The nodes in order.
    func visit(_ body: (Node) -> Void) { Self.visit(root, body) }

    /// The nodes in order, as an array of what a closure makes of them.
    func map<Element>(_ transform: (Node) -> Element) -> [Element] {
        var result: [Element] = []
        result.reserveCapacity(count)
        visit { result.append(transform($0)) }
        return result
    }

    /// Inserts a node where the order wants it.
    ///
    /// - Parameter isBefore: Whether the new node goes before another one; for nodes in order, false and then true.
    func insert(_ node: Node, where isBefore: (Node) -> Bool) {
        guard var current = root else {
            root = node
            return
        }
        while true {
            if isBefore(Self.typed(current)) {
                guard let next = current.left else {
                    current.left = node
                    break
                }
                current = next
            } else {
                guard let next = current.right else {
                    current.right = node
                    break
                }
                current = next
            }
        }
        node.parent = current
        rebalance(from: current)
    }

    /// Takes a node of this tree out.
    func remove(_ node: Node) {
        let start: TreeNode?
        if node.left != nil, let right = node.right {
            var successor = right
            while let next = successor.left { successor = next }
            let parent = successor.parent
            replace(successor, by: successor.right)
            start = parent === node ? successor : parent
            adopt(successor, childrenOf: node)
            replace(node, by: successor)
        } else {
            start = node.parent
            replace(node, by: node.left ?? node.right)
        }
        node.left = nil
        node.right = nil
        node.parent = nil
        node.count = 1
        rebalance(from: start)
    }

    // MARK: Links

    private static func typed(_ node: TreeNode) -> Node { unsafeDowncast(node, to: Node.self) }

    /// Puts another subtree, or none, in a node's place under its parent.
    private func replace(_ node: TreeNode, by other: TreeNode?) {
        let parent = node.parent
        other?.parent = parent
        if let parent {
            if parent.left === node { parent.left = other } else { parent.right = other }
        } else {
            root = other
        }
    }

    private func adopt(_ successor: TreeNode, childrenOf node: TreeNode) {
        successor.left = node.left
        successor.left?.parent = successor
        successor.right = node.right
        successor.right?.parent = successor
        successor.recount()
    }

    // MARK: Balance

    /// Corrects counts and balance from a node up to the root.
    private func rebalance(from node: TreeNode?) {
        var current = node
        while let node = current {
            node.recount()
            let top = balanced(node)
            current = top.parent
        }
    }

    private static func weight(_ node: TreeNode?) -> Int { 1 + (node?.count ?? 0) }

    /// Rotates if one side has become more than three times as heavy as the other; with two as the limit between single
    /// and double rotations, that pair of numbers is known to keep the tree in balance.
    private func balanced(_ node: TreeNode) -> TreeNode {
        let left = Self.weight(node.left)
        let right = Self.weight(node.right)
        if right > 3 * left, let child = node.right {
            if Self.weight(child.left) >= 2 * Self.weight(child.right) { rotateRight(child) }
            return rotateLeft(node)
        }
        if left > 3 * right, let child = node.left {
            if Self.weight(child.right) >= 2 * Self.weight(child.left) { rotateLeft(child) }
            return rotateRight(node)
        }
        return node
    }

    @discardableResult
    private func rotateLeft(_ node: TreeNode) -> TreeNode {
        guard let pivot = node.right else { return node }
        replace(node, by: pivot)
        node.right = pivot.left
        node.right?.parent = node
        pivot.left = node
        node.parent = pivot
        node.recount()
        pivot.recount()
        return pivot
    }

    @discardableResult
    private func rotateRight(_ node: TreeNode) -> TreeNode {
        guard let pivot = node.left else { return node }
        replace(node, by: pivot)
        node.left = pivot.right
        node.left?.parent = node
        pivot.right = node
        node.parent = pivot
        node.recount()
        pivot.recount()
        return pivot
    }

    private static func build(_ nodes: ContiguousArray<Node>.SubSequence) -> TreeNode? {
        guard !nodes.isEmpty else { return nil }
        let middle = nodes.startIndex + nodes.count / 2
        let node: TreeNode = nodes[middle]
        node.left = build(nodes[..<middle])
        node.left?.parent = node
        node.right = build(nodes[(middle + 1)...])
        node.right?.parent = node
        node.recount()
        return node
    }

    private static func visit(_ node: TreeNode?, _ body: (Node) -> Void) {
        guard let node else { return }
        visit(node.left, body)
        body(typed(node))
        visit(node.right, body)
    }

    private static func detach(_ node: TreeNode) {
        node.left.map { detach($0) }
        node.right.map { detach($0) }
        node.left = nil
        node.right = nil
        node.parent = nil
        node.count = 1
    }

    // MARK: Checking

    /// What is wrong with counts, parents and balance, for tests; empty when nothing is.
    func checkInvariants() -> [String] {
        var broken = Self.checkInvariants(root)
        if root?.parent != nil { broken.append("the root has a parent") }
        return broken
    }

    private static func checkInvariants(_ node: TreeNode?) -> [String] {
        guard let node else { return [] }
        let left = weight(node.left)
        let right = weight(node.right)
        var broken: [String] = []
        if node.count != left + right - 1 { broken.append("a node counts \(node.count) of \(left + right - 1)") }
        if left > 3 * right || right > 3 * left { broken.append("a node weighs \(left) to \(right)") }
        for case let child? in [node.left, node.right] where child.parent !== node {
            broken.append("a child doesn't know its parent")
        }
        return broken + checkInvariants(node.left) + checkInvariants(node.right)
    }
}
