#define _GNU_SOURCE
#include "ProcessShims.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int process_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

size_t process_allocated(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

int process_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

pid_t process_split(void) {
    int ends[2];
    if (process_pipe(ends)) return -1;
    // A process in between ends at once, so that its child is an orphan.
    pid_t middle = fork();
    if (middle == 0) {
        pid_t child = fork();
        if (child == 0) {
            close(ends[0]);
            close(ends[1]);
            return 0;
        }
        ssize_t written = write(ends[1], &child, sizeof child);
        _exit(written == sizeof child ? 0 : 1);
    }
    close(ends[1]);
    pid_t child = -1;
    if (middle > 0) {
        if (read(ends[0], &child, sizeof child) != sizeof child) child = -1;
        while (waitpid(middle, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    close(ends[0]);
    return child;
}
