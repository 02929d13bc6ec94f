#include "SanitizerSupport.h"

// ThreadSanitizer sees the atomic operations of a Swift Mutex that is free, which are inlined. Those of one that is taken
// are in libswiftSynchronization, which is built without it, so that whatever the mutex guards would be reported. With
// ThreadSanitizer, and with it alone, these functions take the place of the library's. They keep to its protocol: the word
// is 0, or the number of the thread that has the mutex.
#if __has_feature(thread_sanitizer)
#include <stdint.h>
#include <unistd.h>

__attribute__((swiftcall)) void mutex_lock_slow(uint32_t thread, __attribute__((swift_context)) uint32_t *word)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void mutex_lock_slow(uint32_t thread, __attribute__((swift_context)) uint32_t *word) {
    for (unsigned turns = 0;; turns++) {
        uint32_t expected = 0;
        if (__atomic_compare_exchange_n(word, &expected, thread, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
        usleep(turns < 10 ? 0 : 50);
    }
}

__attribute__((swiftcall)) void mutex_unlock_slow(__attribute__((swift_context)) uint32_t *word)
    __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

__attribute__((swiftcall)) void mutex_unlock_slow(__attribute__((swift_context)) uint32_t *word) {
    __atomic_store_n(word, 0, __ATOMIC_RELEASE);
}
#endif
