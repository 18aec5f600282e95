package io.millrace.workspace.invitation;

/** How far an invitation has come. When it is redeemed, it is gone. */
public enum InvitationStatus {
    PENDING,
    ACCEPTED
}
