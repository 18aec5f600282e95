package io.millrace.sandbox.isolation;

/** What a process is for, and so what it needs of the kernel. */
public enum ProcessPurpose {
    /** Code of users in a Java virtual machine, and readers of documents: computes, and reaches nothing. */
    CODE,

    /** Compiler of code of users: a static program that reads what it is granted and no file of the system. */
    COMPILER,

    /** Code of users in Python: computes, reaches nothing, and sees neither processes nor settings of this host. */
    PYTHON,

    /** Npm pieces: use sockets that the server has connected ({@link LaunchChannel}). */
    PIECE,

    /** The package manager, on behalf of pieces: the same rights as they have. */
    INSTALL;

    /** Whether it is code of users that computes only, which has a user of its own. */
    boolean isOfCode() {
        return this == CODE || this == COMPILER || this == PYTHON;
    }
}
