package io.millrace.piece.file;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Parsed read URL of a file (contract flows-and-engine 20.4).
 *
 * @param fileId the file that the path names; empty in the older form of the URL, where the token identifies it
 * @param token proof that the holder may read the file
 */
public record FileAddress(Optional<String> fileId, String token) {
    private static final String API = "/api/v1/";
    private static final Pattern TARGET =
            Pattern.compile("(?:files/([0-9a-zA-Z]{21})|step-files/signed)\\?token=([0-9a-zA-Z._-]{1,200})");

    public static Optional<FileAddress> parse(String publicUrl, String url) {
        if (!url.startsWith(publicUrl + API)) {
            return Optional.empty();
        }
        var target = TARGET.matcher(url.substring(publicUrl.length() + API.length()));
        return target.matches()
                ? Optional.of(new FileAddress(Optional.ofNullable(target.group(1)), target.group(2)))
                : Optional.empty();
    }

    static String url(String publicUrl, String fileId, String token) {
        return publicUrl + API + "files/" + fileId + "?token=" + token;
    }
}
