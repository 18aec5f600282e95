package io.millrace.base.net;

import io.millrace.base.secret.Hashes;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests to services of AWS, and to compatible ones: Signature Version 4, in the header or in the address. Pure. */
public final class CloudSigner {
    private static final String MAC = "HmacSHA256";
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String S3 = "s3";
    private static final String UNSIGNED = "UNSIGNED-PAYLOAD";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private final String region;
    private final String service;
    private final CloudKey key;

    /** @param service as the cloud names it in credentials, for example {@code s3} */
    public CloudSigner(String region, String service, CloudKey key) {
        this.region = region;
        this.service = service;
        this.key = key;
    }

    /**
     * Headers of a request, those that sign it included.
     *
     * @param headers further headers, which are signed too
     */
    public Map<String, String> headers(
            String method, WebAddress address, Map<String, String> headers, byte[] body, Instant now) {
        var parts = address.target().split("\\?", 2);
        var hash = HexFormat.of().formatHex(Hashes.sha256(body));
        var all = new TreeMap<String, String>();
        headers.forEach((name, value) -> all.put(name.toLowerCase(Locale.ROOT), value.strip()));
        all.put("host", address.authority());
        all.put("x-amz-content-sha256", hash);
        all.put("x-amz-date", TIME.format(now));
        key.sessionToken().ifPresent(token -> all.put("x-amz-security-token", token));
        var signature = signature(
                canonical(method, canonicalPath(parts[0]), sorted(parts.length == 1 ? "" : parts[1]), all, hash), now);
        all.put(
                "authorization",
                ALGORITHM + " Credential=" + key.accessKeyId() + "/" + scope(now) + ", SignedHeaders=" + names(all)
                        + ", Signature=" + signature);
        all.remove("host");
        return all;
    }

    /**
     * The query of a presigned address with limited validity.
     *
     * @param headers that the client must send unchanged, in addition to Host
     */
    public String query(
            String method,
            WebAddress address,
            Map<String, String> headers,
            Map<String, String> query,
            Duration good,
            Instant now) {
        var signed = new TreeMap<>(headers);
        signed.put("host", address.authority());
        var all = new TreeMap<>(query);
        all.put("X-Amz-Algorithm", ALGORITHM);
        all.put("X-Amz-Credential", key.accessKeyId() + "/" + scope(now));
        all.put("X-Amz-Date", TIME.format(now));
        all.put("X-Amz-Expires", Long.toString(good.toSeconds()));
        all.put("X-Amz-SignedHeaders", names(signed));
        key.sessionToken().ifPresent(token -> all.put("X-Amz-Security-Token", token));
        var text = text(all);
        return text + "&X-Amz-Signature="
                + signature(canonical(method, canonicalPath(address.target()), text, signed, UNSIGNED), now);
    }

    /** All services but S3 require the path encoded once more than it is sent. */
    private String canonicalPath(String path) {
        return service.equals(S3)
                ? path
                : Arrays.stream(path.split("/", -1)).map(CloudSigner::encoded).collect(Collectors.joining("/"));
    }

    private static String sorted(String query) {
        return Arrays.stream(query.split("&")).sorted().collect(Collectors.joining("&"));
    }

    private static String text(SortedMap<String, String> query) {
        return query.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String canonical(
            String method, String path, String query, SortedMap<String, String> headers, String hash) {
        var lines = headers.entrySet().stream()
                .map(header -> header.getKey() + ":" + header.getValue() + "\n")
                .collect(Collectors.joining());
        return method + "\n" + path + "\n" + query + "\n" + lines + "\n" + names(headers) + "\n" + hash;
    }

    private static String names(SortedMap<String, String> headers) {
        return String.join(";", headers.keySet());
    }

    private String scope(Instant now) {
        return day(now) + "/" + region + "/" + service + "/aws4_request";
    }

    private static String day(Instant now) {
        return TIME.format(now).substring(0, 8);
    }

    private String signature(String canonical, Instant now) {
        var hash = HexFormat.of().formatHex(Hashes.sha256(canonical.getBytes(StandardCharsets.UTF_8)));
        var text = ALGORITHM + "\n" + TIME.format(now) + "\n" + scope(now) + "\n" + hash;
        var secret = ("AWS4" + key.secretAccessKey()).getBytes(StandardCharsets.UTF_8);
        for (var part : new String[] {day(now), region, service, "aws4_request"}) {
            secret = mac(secret, part);
        }
        return HexFormat.of().formatHex(mac(secret, text));
    }

    /** In the encoding of the signature: every byte that is not unreserved, in capitals. */
    public static String encoded(String text) {
        var encoded = new StringBuilder();
        for (var b : text.getBytes(StandardCharsets.UTF_8)) {
            if (UNRESERVED.indexOf(b) >= 0) {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return encoded.toString();
    }

    private static byte[] mac(byte[] key, String text) {
        try {
            var mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + MAC, impossible);
        }
    }
}
