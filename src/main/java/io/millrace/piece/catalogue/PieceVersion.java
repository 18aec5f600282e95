package io.millrace.piece.catalogue;

import java.util.Optional;
import java.util.regex.Pattern;

/** An exact version of a piece: three numbers with dots (contract pieces 13.2). */
record PieceVersion(int major, int minor, int patch) implements Comparable<PieceVersion> {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})\\.([0-9]{1,9})\\.([0-9]{1,9})");

    static Optional<PieceVersion> parse(String text) {
        var match = FORM.matcher(text);
        return match.matches()
                ? Optional.of(new PieceVersion(
                        Integer.parseInt(match.group(1)),
                        Integer.parseInt(match.group(2)),
                        Integer.parseInt(match.group(3))))
                : Optional.empty();
    }

    /** Returns whether two versions share the minor version; a built-in serves every patch of it (14). */
    boolean sameMinor(PieceVersion other) {
        return major == other.major && minor == other.minor;
    }

    boolean satisfiesTilde(PieceVersion base) {
        return sameMinor(base) && compareTo(base) >= 0;
    }

    /** Returns whether this version satisfies {@code ^base}: the first nonzero number is equal. */
    boolean satisfiesCaret(PieceVersion base) {
        if (major != base.major || compareTo(base) < 0) {
            return false;
        }
        if (major > 0) {
            return true;
        }
        return minor == base.minor && (minor > 0 || patch == base.patch);
    }

    @Override
    public int compareTo(PieceVersion other) {
        if (major != other.major) {
            return Integer.compare(major, other.major);
        }
        return minor != other.minor ? Integer.compare(minor, other.minor) : Integer.compare(patch, other.patch);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
