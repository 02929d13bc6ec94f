#pragma once

// A library to be loaded into a process (LD_PRELOAD) whose system calls on the files below a folder shall fail, or be
// written down.
//
// FAULT_FOLDER   the folder
// FAULT_EFFECT   EIO, ENOSPC, EINTR, or SHORT: writes write half of what they should, other calls do what they do
// FAULT_FOREVER  set: all calls from the chosen one on fail, until disarmed
// FAULT_LOG      a file that takes all changes below the folder, for the simulation of power cuts

/// What the variables of the environment say, for a process that was started before that was known.
void fault_injection_configure(const char *folder, const char *effect, int is_forever);
/// Counts calls from now on and lets the n-th fail; none with 0.
void fault_injection_arm(long call);
/// Lets all calls do what they should.
void fault_injection_disarm(void);
/// How many calls there were since arming.
long fault_injection_count(void);
/// Whether a call failed since arming.
int fault_injection_fired(void);
/// Which error numbers calls gave since arming.
enum { FAULT_INJECTION_EIO = 1, FAULT_INJECTION_ENOSPC = 2, FAULT_INJECTION_OTHER = 4 };
unsigned fault_injection_errors(void);
/// Writes a number into the log.
void fault_injection_mark(long number);
