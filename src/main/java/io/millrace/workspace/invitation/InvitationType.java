package io.millrace.workspace.invitation;

/** Target of an invitation. */
public enum InvitationType {
    PLATFORM,
    PROJECT
}
