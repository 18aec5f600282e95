package io.millrace.integration.issue;

import io.millrace.engine.run.RunStatus;
import io.millrace.integration.failure.MessageShape;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Identity of a group of failures within a flow.
 *
 * @param text hash of status, step and shape of the message; {@link #OTHERS} for failures beyond the limit of a flow
 */
record CauseKey(String flowId, String text) implements Comparable<CauseKey> {
    static final String OTHERS = "others";

    private static final int DIGEST_BYTES = 16;

    static CauseKey of(String flowId, RunStatus status, String stepName, String message) {
        var named = status.name() + '\n' + stepName + '\n' + MessageShape.of(message);
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(named.getBytes(StandardCharsets.UTF_8));
            return new CauseKey(flowId, HexFormat.of().formatHex(digest, 0, DIGEST_BYTES));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("expected SHA-256 in every JDK", impossible);
        }
    }

    static CauseKey others(String flowId) {
        return new CauseKey(flowId, OTHERS);
    }

    @Override
    public int compareTo(CauseKey other) {
        var order = flowId.compareTo(other.flowId);
        return order != 0 ? order : text.compareTo(other.text);
    }
}
