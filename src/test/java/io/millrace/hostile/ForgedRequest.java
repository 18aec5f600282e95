package io.millrace.hostile;

import java.util.List;
import java.util.Locale;

/** Detects, from the bytes that arrived, whether a user's text has become part of the structure of a request. */
final class ForgedRequest {
    private ForgedRequest() {}

    /**
     * True if the request head or the head of a part has a line that the server did not write, or a control character.
     */
    static boolean is(String request) {
        var end = request.indexOf("\r\n\r\n");
        var head = end < 0 ? request : request.substring(0, end);
        var plain = head.replace("\r\n", "").replace("\t", "");
        var lengths = head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .sum();
        return plain.chars().anyMatch(Character::isISOControl)
                || List.of((head.contains("multipart/") ? request : head).split("[\r\n\u000b\u0085]")).stream()
                        .anyMatch(line -> line.strip().startsWith("Injected"))
                || end >= 0 && request.length() != end + 4 + lengths;
    }
}
