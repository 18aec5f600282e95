package io.millrace.base.config;

import io.millrace.base.core.Cidr;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checked texts of all settings: the environment wins over the file, the file over the default.
 *
 * <p>Every bad value is named in one exception, without the value where it may be a secret.
 */
final class SettingTexts {
    static final long MEGABYTE = 1 << 20;

    private static final long KILOBYTE = 1 << 10;
    private static final Pattern DURATION = Pattern.compile("^(\\d{1,9}) ?(second|minute|hour)s?$");

    private final Map<Setting, String> texts = new EnumMap<>(Setting.class);
    private final Set<Setting> given = EnumSet.noneOf(Setting.class);
    private final List<String> unknown = new ArrayList<>();

    SettingTexts(Map<String, String> environment, Path file) {
        var properties = read(file);
        var problems = new ArrayList<String>();
        for (var value : SettingValue.all(environment, properties)) {
            texts.put(value.setting(), value.text());
            if (value.isGiven()) {
                given.add(value.setting());
            }
            if (!value.text().isEmpty()) {
                problem(value.setting(), value.text(), problems);
            }
        }
        Stream.concat(environment.keySet().stream(), properties.stringPropertyNames().stream())
                .filter(name -> name.startsWith("AP_") || name.startsWith("OTEL_"))
                .filter(name -> Stream.of(Setting.values())
                        .noneMatch(setting -> setting.name().equals(name)))
                .sorted()
                .distinct()
                .forEach(unknown::add);
        if (!problems.isEmpty()) {
            throw new BadSetting(problems);
        }
    }

    /** Names that look like settings and are none: probably misspelt, so the start logs them. */
    List<String> unknown() {
        return unknown;
    }

    /** Returns true if the environment or the file sets a value, even if it equals the default. */
    boolean isGiven(Setting setting) {
        return given.contains(setting);
    }

    List<Cidr> blocks(Setting setting) {
        return blocks(texts.get(setting));
    }

    private static List<Cidr> blocks(String text) {
        return text.equals("none") ? List.of() : Cidr.parseAll(text);
    }

    String text(Setting setting) {
        return texts.get(setting);
    }

    Optional<String> optional(Setting setting) {
        return Optional.of(text(setting)).filter(text -> !text.isEmpty());
    }

    /** Entries between commas, without blanks around them. */
    List<String> words(Setting setting) {
        return Stream.of(text(setting).split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    int integer(Setting setting) {
        return Integer.parseInt(texts.get(setting));
    }

    long bytesOfKb(Setting setting) {
        return integer(setting) * KILOBYTE;
    }

    long bytesOfMb(Setting setting) {
        return integer(setting) * MEGABYTE;
    }

    Duration seconds(Setting setting) {
        return Duration.ofSeconds(integer(setting));
    }

    Duration minutes(Setting setting) {
        return Duration.ofMinutes(integer(setting));
    }

    Duration days(Setting setting) {
        return Duration.ofDays(integer(setting));
    }

    boolean flag(Setting setting) {
        return texts.get(setting).equals("true");
    }

    Duration duration(Setting setting) {
        var matcher = DURATION.matcher(texts.get(setting));
        if (!matcher.matches()) {
            throw new IllegalStateException(setting + " was checked before");
        }
        var count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "second" -> Duration.ofSeconds(count);
            case "minute" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
    }

    static Properties read(Path file) {
        var properties = new Properties();
        if (!Files.isRegularFile(file)) {
            return properties;
        }
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException unreadable) {
            throw new BadSetting("cannot read " + file + ": " + unreadable.getMessage());
        }
        return properties;
    }

    private static void problem(Setting setting, String text, List<String> problems) {
        var expected = switch (setting.kind()) {
            case Setting.Kind.Text _, Setting.Kind.Secret _ -> null;
            case Setting.Kind.WholeNumber(var min, var max) ->
                isWholeNumber(text, min, max) ? null : "a whole number from " + min + " to " + max;
            case Setting.Kind.Flag _ -> text.equals("true") || text.equals("false") ? null : "true or false";
            case Setting.Kind.Option(var words) ->
                words.contains(text)
                        ? null
                        : "one of " + String.join(", ", words.stream().sorted().toList());
            case Setting.Kind.Url _ ->
                text.matches("^https?://[^/\\s?#]+(/[^\\s?#]*)?$") ? null : "an http or https URL";
            case Setting.Kind.Duration _ ->
                DURATION.matcher(text).matches() ? null : "a duration such as 1 minute or 30 seconds";
            case Setting.Kind.Blocks _ ->
                areBlocks(text) ? null : "IP addresses or CIDR blocks between commas, or none";
        };
        if (expected != null) {
            problems.add(setting + ": expected " + expected + ", found " + text);
        }
    }

    private static boolean areBlocks(String text) {
        try {
            blocks(text);
            return true;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static boolean isWholeNumber(String text, int min, int max) {
        try {
            var number = Long.parseLong(text);
            return number >= min && number <= max;
        } catch (NumberFormatException notANumber) {
            return false;
        }
    }
}
