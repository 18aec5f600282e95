package io.millrace.integration.failure;

import io.millrace.base.core.CutText;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Message of a failure without ids, numbers, times and quoted values, which differ between runs: messages of one shape have one
 * cause. The console groups runs by the same rule ({@code runs/grouping.ts}); a shared table of examples compares the two.
 */
public final class MessageShape {
    /** Characters of a message that count; the rest rarely distinguishes causes. */
    private static final int LENGTH_MAX = 700;

    private static final List<Pattern> VARIABLE_PARTS = List.of(
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", Pattern.CASE_INSENSITIVE),
            Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z?"),
            Pattern.compile("\"[^\"]*\"|'[^']*'|“[^”]*”"),
            Pattern.compile("\\b(?=[0-9a-z]*\\d)[0-9a-z]{12,}\\b", Pattern.CASE_INSENSITIVE),
            Pattern.compile("\\d+(?:[.,]\\d+)*"));

    private static final Pattern BLANKS = Pattern.compile("\\s+", Pattern.UNICODE_CHARACTER_CLASS);

    private MessageShape() {}

    public static String of(String message) {
        var shape = CutText.of(message, LENGTH_MAX);
        for (var part : VARIABLE_PARTS) {
            shape = part.matcher(shape).replaceAll("#");
        }
        return BLANKS.matcher(shape).replaceAll(" ").strip().toLowerCase(Locale.ROOT);
    }
}
