package io.millrace.base.net;

import io.millrace.base.core.text.DomainText;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Parses the host of a URL like browsers and Node.js, so that unusual spellings of an address do not bypass the guard as a
 * name: {@code 2130706433}, {@code 0x7f.1}, {@code 0177.0.0.1}, {@code 127.1.} all become 127.0.0.1.
 */
final class HostText {
    private static final Pattern NAME = Pattern.compile("[a-z0-9_-]+(\\.[a-z0-9_-]+)*\\.?");
    private static final Pattern NUMBER = Pattern.compile("\\d+|0x[0-9a-f]*");
    private static final int NAME_LENGTH_MAX = 254;

    private HostText() {}

    /** The canonical text of a host: a lower-case ASCII name, dotted IPv4, or IPv6 without brackets. */
    static String canonical(String text) {
        if (text.startsWith("[")) {
            return bracketed(text);
        }
        var name = ascii(percentDecoded(text)).toLowerCase(Locale.ROOT);
        if (name.length() > NAME_LENGTH_MAX || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("its host is not a host name");
        }
        var bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        var last = bare.substring(bare.lastIndexOf('.') + 1);
        return NUMBER.matcher(last).matches() ? dotted(bare.split("\\.", -1)) : name;
    }

    static boolean isLiteral(String canonical) {
        return canonical.indexOf(':') >= 0
                || canonical.chars().skip(canonical.lastIndexOf('.') + 1L).allMatch(c -> c >= '0' && c <= '9')
                        && !canonical.endsWith(".");
    }

    private static String bracketed(String text) {
        if (!text.endsWith("]") || text.indexOf('%') >= 0 || text.indexOf(':') < 0) {
            throw new IllegalArgumentException("its host is not an IPv6 address");
        }
        var address = InetAddress.ofLiteral(text.substring(1, text.length() - 1));
        return NetUtil.toAddressString(address);
    }

    private static String ascii(String text) {
        try {
            return DomainText.ascii(text);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("its host is not a host name", malformed);
        }
    }

    private static String percentDecoded(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        // URLDecoder reads a plus sign as a blank, which a host never means.
        return java.net.URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static String dotted(String[] parts) {
        if (parts.length > 4) {
            throw new IllegalArgumentException("its host is not an IPv4 address");
        }
        long address = 0;
        for (var i = 0; i < parts.length - 1; i++) {
            address |= number(parts[i], 0xff) << (Byte.SIZE * (3 - i));
        }
        address |= number(parts[parts.length - 1], (1L << (Byte.SIZE * (5 - parts.length))) - 1);
        try {
            return InetAddress.getByAddress(new byte[] {
                        (byte) (address >> 24), (byte) (address >> 16), (byte) (address >> 8), (byte) address
                    })
                    .getHostAddress();
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("four bytes form an address", impossible);
        }
    }

    private static long number(String part, long max) {
        try {
            var value = radixNumber(part);
            if (value <= max) {
                return value;
            }
        } catch (NumberFormatException malformed) {
            throw new IllegalArgumentException("its host is not an IPv4 address", malformed);
        }
        throw new IllegalArgumentException("its host is not an IPv4 address");
    }

    private static long radixNumber(String part) {
        if (part.equals("0x")) {
            return 0;
        }
        if (part.startsWith("0x")) {
            return Long.parseUnsignedLong(part.substring(2), 16) & Long.MAX_VALUE;
        }
        return part.length() > 1 && part.startsWith("0") ? Long.parseLong(part, 8) : Long.parseLong(part);
    }
}
