package io.millrace.sandbox.isolation;

/** Operating system user of a process; without capabilities in all cases. */
sealed interface ProcessAccount {
    record Own() implements ProcessAccount {}

    /** User of this server, without the capabilities of root. */
    record Powerless() implements ProcessAccount {}

    record Other(int user, int group) implements ProcessAccount {}
}
