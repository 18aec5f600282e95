package io.millrace.workspace.invitation;

/** What somebody is invited to. */
public enum InvitationType {
    PLATFORM,
    PROJECT
}
