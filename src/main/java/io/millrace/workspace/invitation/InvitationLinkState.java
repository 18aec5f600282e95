package io.millrace.workspace.invitation;

/** State of the link of an invitation, for the person who opens it. */
public enum InvitationLinkState {
    PENDING,
    /** The invitation is accepted, and waits for the sign-up of the person. */
    ACCEPTED,
    EXPIRED,
    /** The invitation was redeemed or revoked; its row is deleted in both cases. */
    ENDED
}
