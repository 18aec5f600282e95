package io.millrace.workspace.invitation;

/** State of an invitation. A redeemed invitation is deleted. */
public enum InvitationStatus {
    PENDING,
    ACCEPTED
}
