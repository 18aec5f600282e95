package io.millrace.workspace.invitation;

import io.millrace.account.mail.Letter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

final class InvitationLetter {
    private InvitationLetter() {}

    /**
     * @param project name of the project; empty in an invitation to the platform
     */
    static Letter of(Invitation invitation, String platform, Optional<String> project, String link) {
        var place = project.map(name -> name + " on " + platform).orElse(platform);
        return new Letter(
                invitation.email(),
                "You are invited to " + Letter.oneLine(place),
                "You are invited to " + Letter.oneLine(place),
                List.of("Follow the link to accept and join as " + role(invitation) + ". It is valid for seven days."),
                Optional.empty(),
                Optional.of(new Letter.Link("Accept the invitation", link)),
                "If you did not expect this invitation, ignore this email. Nothing changes.");
    }

    private static String role(Invitation invitation) {
        return invitation
                .place()
                .map(promised -> Letter.oneLine(promised.role().name()))
                .or(() -> invitation.platformRole().map(role -> role.name().toLowerCase(Locale.ROOT)))
                .orElse("member");
    }
}
