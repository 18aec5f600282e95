package io.millrace.workspace.invitation;

public enum InvitationType {
    PLATFORM,
    PROJECT
}
