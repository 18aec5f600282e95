package io.millrace.engine.run;

import io.millrace.base.core.Ids;
import io.millrace.base.secret.LinkKey;
import io.millrace.base.secret.LinkSecrets;
import java.util.regex.Pattern;

/**
 * Ids in the resume addresses of the old kind, which belong to a run and not to a waitpoint (contract flows-and-engine 12.4).
 * An id is a nonce and its signature for that run, so that nothing is stored before a link is used (decision 0106). Links of
 * releases before V0052 have a bare nonce (decision 0106).
 */
public final class RequestIds {
    private static final String PURPOSE = "millrace: resume one run";
    private static final int SIGNATURE_BYTES = 16;
    private static final Pattern FORM = Pattern.compile("([0-9a-zA-Z]{21})([0-9a-zA-Z_-]{22})");

    private final LinkKey key;

    /** @param secrets the same on every node */
    public RequestIds(LinkSecrets secrets) {
        this.key = new LinkKey(secrets, PURPOSE, SIGNATURE_BYTES);
    }

    public String issue(String runId) {
        var nonce = Ids.next();
        return nonce + key.sign(text(runId, nonce));
    }

    public boolean isOf(String runId, String requestId) {
        var form = FORM.matcher(requestId);
        return form.matches() && key.isSigned(text(runId, form.group(1)), form.group(2));
    }

    /** Returns whether an id has the form of releases that did not sign it. */
    public static boolean isUnsigned(String requestId) {
        return Ids.isId(requestId);
    }

    private static String text(String runId, String nonce) {
        return runId + "." + nonce;
    }
}
