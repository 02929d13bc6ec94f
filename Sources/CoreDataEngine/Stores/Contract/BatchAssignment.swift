import Foundation

/// A property that a batch update sets.
package struct BatchAssignment {
    package enum Value {
        case constant(PropertyValue)
        /// Computed from each row.
        case expression(NSExpression)
    }

    package var slot: SlotLayout
    /// The element of the slot's composite attribute that is set alone; nil when the whole slot is.
    package var leaf: SlotLayout?
    package var value: Value

    /// What the value has to fit.
    package var target: SlotLayout { leaf ?? slot }

    package init(slot: SlotLayout, leaf: SlotLayout? = nil, value: Value) {
        self.slot = slot
        self.leaf = leaf
        self.value = value
    }
}
