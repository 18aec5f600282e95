package io.millrace.sandbox.isolation;

/** What a process is for, and so what it needs of the kernel. */
public enum ProcessPurpose {
    /** Code of users and its compiler: computes, and reaches nothing. */
    CODE,

    /** Code of users in Python: computes, reaches nothing, and sees neither processes nor settings of this host. */
    PYTHON,

    /** Npm pieces: use sockets that the server has connected ({@link LaunchChannel}). */
    PIECE,

    /** The package manager, on behalf of pieces: the same rights as they have. */
    INSTALL;

    /** Whether it is code of users that computes only, which has a user of its own. */
    boolean isOfCode() {
        return this == CODE || this == PYTHON;
    }
}
