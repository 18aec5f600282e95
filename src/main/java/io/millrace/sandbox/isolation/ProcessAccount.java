package io.millrace.sandbox.isolation;

/** Operating system user of a process; without capabilities in all cases. */
sealed interface ProcessAccount {
    /** The user of this server. */
    record Own() implements ProcessAccount {}

    /** User of this server, without the capabilities of root. */
    record Powerless() implements ProcessAccount {}

    /**
     * Another user.
     *
     * @param user number of the user
     * @param group number of the only group
     */
    record Other(int user, int group) implements ProcessAccount {}
}
