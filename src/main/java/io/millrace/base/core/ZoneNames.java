package io.millrace.base.core;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Time zones by the names that people write: IANA names in any case, offsets, and common abbreviations.
 *
 * <p>IANA names win: {@code EST}, {@code MST} and {@code HST} are zones without summer time. Every other abbreviation means the
 * place that uses it, with its summer time: {@code PST} in July is summer time in Los Angeles. An ambiguous one has the meaning of
 * {@code ABBREVIATIONS}: {@code IST} is India, {@code CST} is Chicago, {@code BST} is London.
 */
public final class ZoneNames {
    private static final Map<String, String> ABBREVIATIONS = Map.ofEntries(
            // IANA names that the Java library leaves out.
            Map.entry("EST", "America/Panama"),
            Map.entry("MST", "America/Phoenix"),
            Map.entry("HST", "Pacific/Honolulu"),
            Map.entry("ROC", "Asia/Taipei"),
            Map.entry("FACTORY", "Etc/UTC"),
            Map.entry("EDT", "America/New_York"),
            Map.entry("ET", "America/New_York"),
            Map.entry("CST", "America/Chicago"),
            Map.entry("CDT", "America/Chicago"),
            Map.entry("CT", "America/Chicago"),
            Map.entry("MDT", "America/Denver"),
            Map.entry("MT", "America/Denver"),
            Map.entry("PST", "America/Los_Angeles"),
            Map.entry("PDT", "America/Los_Angeles"),
            Map.entry("PT", "America/Los_Angeles"),
            Map.entry("AKST", "America/Anchorage"),
            Map.entry("AKDT", "America/Anchorage"),
            Map.entry("AST", "America/Halifax"),
            Map.entry("ADT", "America/Halifax"),
            Map.entry("NST", "America/St_Johns"),
            Map.entry("BRT", "America/Sao_Paulo"),
            Map.entry("ART", "America/Argentina/Buenos_Aires"),
            Map.entry("BST", "Europe/London"),
            Map.entry("WEST", "Europe/Lisbon"),
            Map.entry("CEST", "Europe/Paris"),
            Map.entry("MEZ", "Europe/Berlin"),
            Map.entry("MESZ", "Europe/Berlin"),
            Map.entry("EEST", "Europe/Athens"),
            Map.entry("MSK", "Europe/Moscow"),
            Map.entry("TRT", "Europe/Istanbul"),
            Map.entry("SAST", "Africa/Johannesburg"),
            Map.entry("EAT", "Africa/Nairobi"),
            Map.entry("WAT", "Africa/Lagos"),
            Map.entry("CAT", "Africa/Maputo"),
            Map.entry("GST", "Asia/Dubai"),
            Map.entry("PKT", "Asia/Karachi"),
            Map.entry("IST", "Asia/Kolkata"),
            Map.entry("ICT", "Asia/Bangkok"),
            Map.entry("WIB", "Asia/Jakarta"),
            Map.entry("SGT", "Asia/Singapore"),
            Map.entry("HKT", "Asia/Hong_Kong"),
            Map.entry("PHT", "Asia/Manila"),
            Map.entry("JST", "Asia/Tokyo"),
            Map.entry("KST", "Asia/Seoul"),
            Map.entry("AWST", "Australia/Perth"),
            Map.entry("ACST", "Australia/Adelaide"),
            Map.entry("ACDT", "Australia/Adelaide"),
            Map.entry("AEST", "Australia/Sydney"),
            Map.entry("AEDT", "Australia/Sydney"),
            Map.entry("NZST", "Pacific/Auckland"),
            Map.entry("NZDT", "Pacific/Auckland"));

    /** Offsets as people write them: {@code UTC+5:30}, {@code GMT -3}, with a hyphen or a minus sign. */
    private static final Pattern OFFSET =
            Pattern.compile("(?i)(?:UTC|GMT|UT)?\\s*([+\u2212-])\\s*([0-9]{1,2})(?::?([0-9]{2}))?");

    private ZoneNames() {}

    /** The zone of a name; fails with {@link DateTimeException}. White space around the name and its case do not matter. */
    public static ZoneId of(String name) {
        var given = name.strip();
        try {
            return ZoneId.of(given);
        } catch (DateTimeException unknown) {
            var offset = OFFSET.matcher(given);
            if (offset.matches()) {
                return ZoneId.of(offset(offset));
            }
            var known = ABBREVIATIONS.getOrDefault(given.toUpperCase(Locale.ROOT), ByName.IDS.get(plain(given)));
            if (known == null) {
                throw unknown;
            }
            return ZoneId.of(known);
        }
    }

    /** The spelling of the library: {@code +05:30}. */
    private static String offset(Matcher written) {
        var sign = written.group(1).equals("+") ? "+" : "-";
        var hours = "0".repeat(2 - written.group(2).length()) + written.group(2);
        return sign + hours + ":" + (written.group(3) == null ? "00" : written.group(3));
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace(' ', '_');
    }

    /** Read when the first name has another case than its zone. */
    private static final class ByName {
        static final Map<String, String> IDS = read();

        private ByName() {}

        private static Map<String, String> read() {
            var ids = new HashMap<String, String>();
            ZoneId.getAvailableZoneIds().forEach(id -> ids.put(plain(id), id));
            return Map.copyOf(ids);
        }
    }
}
