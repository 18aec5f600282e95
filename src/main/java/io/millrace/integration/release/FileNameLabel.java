package io.millrace.integration.release;

import io.millrace.base.core.CombiningMarks;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Readable beginning of a file name: the display name of an item in lower case, with hyphens for everything except
 * letters and digits of ASCII. It has no dot, so that the external id after it remains recognizable.
 */
final class FileNameLabel {
    private static final int LENGTH_MAX = 30;
    private static final Pattern OTHERS = Pattern.compile("[^a-z0-9]+");
    private static final Pattern OUTER_HYPHENS = Pattern.compile("^-+|-+$");

    /** Names of devices, which Windows does not accept as the beginning of a file name before a dot. */
    private static final Pattern DEVICES = Pattern.compile("con|prn|aux|nul|(com|lpt)[0-9]");

    private FileNameLabel() {}

    /** Label of a display name; empty if nothing of the name can be in one. */
    static String of(String displayName) {
        var plain = CombiningMarks.removed(displayName, Normalizer.Form.NFKD);
        var hyphened = trimmed(OTHERS.matcher(plain.toLowerCase(Locale.ROOT)).replaceAll("-"));
        var label = trimmed(hyphened.substring(0, Math.min(hyphened.length(), LENGTH_MAX)));
        return DEVICES.matcher(label).matches() ? label + "-" : label;
    }

    private static String trimmed(String text) {
        return OUTER_HYPHENS.matcher(text).replaceAll("");
    }
}
