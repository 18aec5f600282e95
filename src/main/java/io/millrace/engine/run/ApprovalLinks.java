package io.millrace.engine.run;

import io.millrace.base.secret.LinkKey;
import io.millrace.base.secret.LinkSecrets;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Tokens of personal links of approvers (decision 0470): waitpoint and e-mail address, signed for the run. The holder of a link
 * decides as that approver.
 */
public final class ApprovalLinks {
    private static final String PURPOSE = "millrace: decide an approval";
    private static final int SIGNATURE_BYTES = 16;
    private static final Pattern FORM = Pattern.compile("([0-9a-zA-Z_-]{1,600})\\.([0-9a-zA-Z_-]{22})");

    private final LinkKey key;

    /** @param secrets the same on every node */
    public ApprovalLinks(LinkSecrets secrets) {
        this.key = new LinkKey(secrets, PURPOSE, SIGNATURE_BYTES);
    }

    public String path(String runId, String waitpointId, String email) {
        var bytes = (waitpointId + " " + email).getBytes(StandardCharsets.UTF_8);
        var name = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        return "/api/v1/flow-runs/" + runId + "/approval/" + name + "." + key.sign(text(runId, name));
    }

    /** The approver of a token; empty for a token that was not issued for the run. */
    public Optional<Approvals.Approver.Guest> read(String runId, String token) {
        var form = FORM.matcher(token);
        if (!form.matches() || !key.isSigned(text(runId, form.group(1)), form.group(2))) {
            return Optional.empty();
        }
        var parts = new String(Base64.getUrlDecoder().decode(form.group(1)), StandardCharsets.UTF_8).split(" ", 2);
        return parts.length == 2 ? Optional.of(new Approvals.Approver.Guest(parts[0], parts[1])) : Optional.empty();
    }

    private static String text(String runId, String name) {
        return runId + "." + name;
    }
}
