package io.millrace.sandbox.isolation;

/** What a process is for, and so what it needs of the kernel. */
public enum ProcessPurpose {
    /** Code of users and its compiler: computes, and reaches nothing. */
    CODE(false),

    /** Code of users in Python: computes, reaches nothing, and sees neither processes nor settings of this host. */
    PYTHON(false),

    /** Npm pieces: connect to others. */
    PIECE(true),

    /** The package manager, on behalf of pieces: the same rights as they have. */
    INSTALL(true);

    private final boolean connects;

    ProcessPurpose(boolean connects) {
        this.connects = connects;
    }

    boolean connects() {
        return connects;
    }

    /** Whether it is code of users that computes only, which has a user of its own. */
    boolean isOfCode() {
        return this == CODE || this == PYTHON;
    }
}
