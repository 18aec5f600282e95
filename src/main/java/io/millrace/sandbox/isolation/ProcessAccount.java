package io.millrace.sandbox.isolation;

/** The operating system's user that a process becomes. */
sealed interface ProcessAccount {
    /** The user of this server. */
    record Own() implements ProcessAccount {}

    /** The user of this server, without the powers of root. */
    record Powerless() implements ProcessAccount {}

    /**
     * Another user.
     *
     * @param user number of the user, and of the group
     * @param passes whether it may pass directories that are closed to it; what it finds there is for Landlock to say
     */
    record Other(int user, boolean passes) implements ProcessAccount {}
}
