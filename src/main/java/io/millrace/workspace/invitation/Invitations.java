package io.millrace.workspace.invitation;

import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.util.Optional;

/** Requests about invitations. Answered by {@link InvitationService}. */
public sealed interface Invitations {
    sealed interface Offer {
        String email();

        record ToPlatform(String email, PlatformRole role) implements Offer {}

        record ToProject(String email, String projectId, String roleName) implements Offer {}
    }

    /** An invitation, and the link by which it is accepted; empty when it was accepted at once, or mailed. */
    record InvitationLink(Invitation invitation, Optional<String> link) {}

    /**
     * Creates or repeats an invitation. The caller has checked the principal's permission to invite; the role in a project must
     * have no permission that the principal lacks.
     */
    record Create(Principal by, Offer offer) implements Invitations, BusRequest<InvitationLink> {}

    /** The invitations that the principal may see, oldest first. */
    record ListVisible(
            Principal by,
            Optional<InvitationType> type,
            Optional<InvitationStatus> status,
            Optional<String> projectId,
            PageRequest page)
            implements Invitations, BusRequest<Page<Invitation>> {}

    /** Accepts the invitation of a link; returns true when the address has a user on the platform already. */
    record Accept(String token) implements Invitations, BusRequest<Boolean> {
        @Override
        public String toString() {
            return "Accept[]";
        }
    }

    record CheckLink(String token) implements Invitations, BusRequest<InvitationLinkState> {
        @Override
        public String toString() {
            return "CheckLink[]";
        }
    }

    record Find(Principal by, String invitationId) implements Invitations, BusRequest<Invitation> {}

    /** Deletes an invitation. The caller has checked the principal's permission. */
    record Delete(Principal by, String invitationId) implements Invitations, BusRequest<Nothing> {}
}
