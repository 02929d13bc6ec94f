#if Publishers
#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension FieldInterfaceProtocol {
    /// Reports each value that could not be read, so that the field's fallback was taken.
    ///
    /// It is notified of what is read through this very field, on the queue that the value is read on.
    public var conversionErrorPublisher: AnyPublisher<ConversionError, Never> {
        let errors = field.conversionErrors
        if let known = errors.publisher as? PassthroughSubject<ConversionError, Never> {
            return known.eraseToAnyPublisher()
        }
        let subject = PassthroughSubject<ConversionError, Never>()
        errors.publisher = subject
        errors.handler = { subject.send($0) }
        return subject.eraseToAnyPublisher()
    }
}
#endif
