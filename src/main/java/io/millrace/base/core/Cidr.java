package io.millrace.base.core;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A block of addresses of one family; a single address is a block of one.
 *
 * <p>Reads literals only: no name is ever resolved here, and the short, octal and decimal spellings of IPv4 are refused
 * because they are ambiguous in a list.
 */
public final class Cidr {
    private static final Pattern DOTTED = Pattern.compile("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}");
    private static final Pattern COLONS = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final Pattern PREFIX = Pattern.compile("\\d{1,3}");

    /** Bits of ::ffff:0:0/96, in front of the IPv4 part of a mapped address. */
    private static final int MAPPED_BITS = 96;

    private final byte[] network;
    private final int prefixBits;

    private Cidr(byte[] network, int prefixBits) {
        this.network = masked(network, prefixBits);
        this.prefixBits = prefixBits;
    }

    /**
     * Reads {@code 10.0.0.0/8}, {@code fc00::/7} or a single address. Bits after the prefix are ignored.
     *
     * @throws IllegalArgumentException naming the text, when it is neither an address nor a block
     */
    public static Cidr parse(String text) {
        var slash = text.indexOf('/');
        var literal = slash < 0 ? text : text.substring(0, slash);
        var address = literal(literal, text);
        var mapped = literal.indexOf(':') >= 0 && address instanceof Inet4Address;
        var bitsMax = mapped ? MAPPED_BITS + Integer.SIZE : address.getAddress().length * Byte.SIZE;
        var bits = slash < 0 ? bitsMax : prefix(text.substring(slash + 1), text, bitsMax);
        if (!mapped) {
            return new Cidr(address.getAddress(), bits);
        }
        if (bits < MAPPED_BITS) {
            throw refused(text, "a block of IPv4-mapped addresses has a prefix of at least " + MAPPED_BITS);
        }
        return new Cidr(address.getAddress(), bits - MAPPED_BITS);
    }

    /**
     * Reads blocks between commas; blanks around them do not matter.
     *
     * @throws IllegalArgumentException naming the first text that is not a block
     */
    public static List<Cidr> parseAll(String list) {
        return Arrays.stream(list.split(","))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .map(Cidr::parse)
                .toList();
    }

    /** Returns true if the address, in network byte order, is of this family and inside the block. */
    public boolean contains(byte[] address) {
        return address.length == network.length && Arrays.equals(masked(address, prefixBits), network);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cidr block && prefixBits == block.prefixBits && Arrays.equals(network, block.network);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(network) + prefixBits;
    }

    private static InetAddress literal(String literal, String text) {
        if (!DOTTED.matcher(literal).matches() && !COLONS.matcher(literal).matches()) {
            throw refused(text, "expected an IP address or a CIDR block");
        }
        try {
            return InetAddress.ofLiteral(literal);
        } catch (IllegalArgumentException malformed) {
            throw refused(text, "expected an IP address or a CIDR block");
        }
    }

    private static int prefix(String digits, String text, int bitsMax) {
        if (!PREFIX.matcher(digits).matches() || Integer.parseInt(digits) > bitsMax) {
            throw refused(text, "expected a prefix from 0 to " + bitsMax);
        }
        return Integer.parseInt(digits);
    }

    private static IllegalArgumentException refused(String text, String reason) {
        return new IllegalArgumentException("\"" + text + "\": " + reason);
    }

    private static byte[] masked(byte[] address, int bits) {
        var masked = new byte[address.length];
        var whole = bits / Byte.SIZE;
        System.arraycopy(address, 0, masked, 0, whole);
        var rest = bits % Byte.SIZE;
        if (rest > 0) {
            masked[whole] = (byte) (address[whole] & (0xff << (Byte.SIZE - rest)));
        }
        return masked;
    }
}
