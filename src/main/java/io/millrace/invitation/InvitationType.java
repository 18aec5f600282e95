package io.millrace.invitation;

/** What somebody is invited to. */
public enum InvitationType {
    PLATFORM,
    PROJECT
}
