package io.millrace.engine.run;

import io.millrace.base.core.Ids;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Ids in the resume addresses of the old kind, which belong to a run and not to a waitpoint (contract flows-and-engine 12.4).
 * An id is a nonce and its signature for that run: what nobody has issued opens nothing, and nothing has to be stored
 * before a link is used (decision 0106).
 */
public final class RequestIds {
    private static final String MAC = "HmacSHA256";
    private static final String PURPOSE = "millrace: resume one run";
    private static final int SIGNATURE_BYTES = 16;
    private static final Pattern FORM = Pattern.compile("([0-9a-zA-Z]{21})([0-9a-zA-Z_-]{22})");

    private final SecretKeySpec key;

    /** @param serverSecret the same on every node */
    public RequestIds(String serverSecret) {
        var secret = new SecretKeySpec(serverSecret.getBytes(StandardCharsets.UTF_8), MAC);
        this.key = new SecretKeySpec(mac(secret, PURPOSE), MAC);
    }

    /** Another id for a run. */
    public String issue(String runId) {
        var nonce = Ids.next();
        return nonce + signature(runId, nonce);
    }

    /** Whether an id was issued for this run. */
    public boolean isOf(String runId, String requestId) {
        var form = FORM.matcher(requestId);
        return form.matches()
                && MessageDigest.isEqual(
                        signature(runId, form.group(1)).getBytes(StandardCharsets.US_ASCII),
                        form.group(2).getBytes(StandardCharsets.US_ASCII));
    }

    private String signature(String runId, String nonce) {
        var whole = mac(key, runId + "." + nonce);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(whole, SIGNATURE_BYTES));
    }

    private static byte[] mac(SecretKeySpec key, String text) {
        try {
            var mac = Mac.getInstance(MAC);
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + MAC, impossible);
        }
    }
}
