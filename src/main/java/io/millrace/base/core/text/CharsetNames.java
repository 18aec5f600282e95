package io.millrace.base.core.text;

import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Charsets by the names that senders give: IANA names, labels of the Encoding Standard, and spellings of programs. Names are also
 * those of smaller charsets in place of the larger ones that senders use.
 */
public final class CharsetNames {
    private static final String BEFORE = " \t\n\u000b\f\r'\"";
    private static final String BEHIND = BEFORE + ";,";
    private static final Pattern WINDOWS = Pattern.compile("(?:x-)?(?:cp|win|windows|ms)[-_ ]?(125[0-8])");
    private static final Pattern ISO = Pattern.compile("iso[-_ ]?8859[-_ ]?([0-9]{1,2})(?:-[ie])?(?::[0-9]{4})?");

    /** Labels that the Java library does not know. */
    private static final Map<String, String> LABELS = Map.ofEntries(
            Map.entry("latin-1", "ISO-8859-1"),
            Map.entry("latin-2", "ISO-8859-2"),
            Map.entry("ansi", "windows-1252"),
            Map.entry("utf-8-sig", "UTF-8"),
            Map.entry("utf8mb4", "UTF-8"),
            Map.entry("unicode-1-1-utf-8", "UTF-8"),
            Map.entry("x-unicode20utf8", "UTF-8"),
            Map.entry("ucs-2", "UTF-16"),
            Map.entry("unicodefffe", "UTF-16BE"),
            Map.entry("mac", "x-MacRoman"),
            Map.entry("macintosh", "x-MacRoman"),
            Map.entry("x-mac-roman", "x-MacRoman"),
            Map.entry("x-mac-cyrillic", "x-MacCyrillic"),
            Map.entry("windows-874", "x-windows-874"),
            Map.entry("dos-874", "x-windows-874"),
            Map.entry("x-gbk", "GBK"),
            Map.entry("x-x-big5", "Big5"),
            Map.entry("shift-jis", "Shift_JIS"),
            Map.entry("windows-949", "x-windows-949"));

    /** Larger charsets that the Encoding Standard reads under the names of smaller ones. */
    private static final Map<String, String> LARGER = Map.of(
            "ISO-8859-1", "windows-1252",
            "ISO-8859-9", "windows-1254",
            "TIS-620", "x-windows-874",
            "Shift_JIS", "windows-31j",
            "EUC-KR", "x-windows-949",
            "GB2312", "GB18030",
            "GBK", "GB18030",
            "Big5", "Big5-HKSCS");

    private CharsetNames() {}

    public static Optional<Charset> find(String name) {
        var plain = unquoted(name).toLowerCase(Locale.ROOT);
        return known(plain).or(() -> known(spelled(plain)));
    }

    private static String unquoted(String name) {
        var start = 0;
        while (start < name.length() && BEFORE.indexOf(name.charAt(start)) >= 0) {
            start++;
        }
        var end = name.length();
        while (end > start && BEHIND.indexOf(name.charAt(end - 1)) >= 0) {
            end--;
        }
        return name.substring(start, end);
    }

    private static String spelled(String name) {
        var windows = WINDOWS.matcher(name);
        if (windows.matches()) {
            return "windows-" + windows.group(1);
        }
        var iso = ISO.matcher(name);
        return iso.matches() ? "iso-8859-" + iso.group(1) : LABELS.getOrDefault(name, name);
    }

    private static Optional<Charset> known(String name) {
        try {
            return Optional.of(Charset.forName(name));
        } catch (IllegalArgumentException unknown) {
            return Optional.empty();
        }
    }

    /** The charset that contains a smaller one and is meant by its name; empty when the name says what is meant. */
    public static Optional<Charset> larger(Charset charset) {
        return Optional.ofNullable(LARGER.get(charset.name())).flatMap(CharsetNames::known);
    }

    static boolean isUtf16Or32(Charset charset) {
        return charset.name().startsWith("UTF-16") || charset.name().startsWith("UTF-32");
    }
}
