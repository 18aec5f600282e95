package io.millrace.base.trace;

import io.millrace.base.core.Ids;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Position in a trace, as passed between systems (W3C Trace Context, header {@code traceparent}).
 *
 * @param traceId 32 hexadecimal characters
 * @param spanId 16 hexadecimal characters
 * @param isSampled true if the trace is recorded
 */
public record TraceContext(String traceId, String spanId, boolean isSampled) {
    public static final String HEADER = "traceparent";

    private static final Pattern FORM =
            Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
    private static final int TRACE_BYTES = 16;
    private static final int SPAN_BYTES = 8;

    /** Parses a header; empty when it is malformed, which must not fail the request. */
    public static Optional<TraceContext> parse(String header) {
        var matcher = FORM.matcher(header.strip());
        if (!matcher.matches()
                || matcher.group(1).equals("ff")
                || matcher.group(1).equals("00") && matcher.group(5) != null
                || isZero(matcher.group(2))
                || isZero(matcher.group(3))) {
            return Optional.empty();
        }
        var flags = Integer.parseInt(matcher.group(4), 16);
        return Optional.of(new TraceContext(matcher.group(2), matcher.group(3), (flags & 1) == 1));
    }

    private static boolean isZero(String digits) {
        return digits.chars().allMatch(digit -> digit == '0');
    }

    static TraceContext rootOf(String subject, boolean isSampled) {
        var digest = digest(subject);
        return new TraceContext(
                HexFormat.of().formatHex(digest, 0, TRACE_BYTES),
                HexFormat.of().formatHex(digest, TRACE_BYTES, TRACE_BYTES + SPAN_BYTES),
                isSampled);
    }

    public TraceContext childOf(String subject) {
        return new TraceContext(
                traceId, HexFormat.of().formatHex(digest(subject), TRACE_BYTES, TRACE_BYTES + SPAN_BYTES), isSampled);
    }

    public TraceContext freshChild() {
        return childOf(Ids.next());
    }

    private static byte[] digest(String subject) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(subject.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    public String traceparent() {
        return "00-" + traceId + "-" + spanId + (isSampled ? "-01" : "-00");
    }
}
