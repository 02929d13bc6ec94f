/// Nothing is called by name: see MutexSlowPath.c.
