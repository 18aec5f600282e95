package io.millrace.sandbox.isolation;

/** Purpose of a process, which decides the kernel rights it needs. */
public enum ProcessPurpose {
    /** Code of users in a Java virtual machine, and readers of documents: computes, without access to files or network. */
    CODE,

    /** Compiler of code of users: a static program that reads granted files and no system files. */
    COMPILER,

    /** Code of users in Python: computes, without network, and sees neither processes nor settings of this host. */
    PYTHON,

    /** Npm pieces: use sockets that the server has connected ({@link LaunchChannel}). */
    PIECE,

    /** Package manager for pieces, with the same rights as pieces. */
    INSTALL;

    /** True for code of users, which only computes and runs as a separate user. */
    boolean isOfCode() {
        return this == CODE || this == COMPILER || this == PYTHON;
    }
}
