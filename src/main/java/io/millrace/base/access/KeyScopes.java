package io.millrace.base.access;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Scopes of an API key, our extension of contract admin-api 20: permissions in projects by their names, and two words for
 * operations on the whole platform. A key without scopes may do everything, as the contract says.
 *
 * @param words empty for everything
 */
public record KeyScopes(Set<String> words) {
    /** Scopes of a key that has none. */
    public static final KeyScopes ALL = new KeyScopes(Set.of());

    private static final String READ_PLATFORM = "READ_PLATFORM";
    private static final String WRITE_PLATFORM = "WRITE_PLATFORM";

    public KeyScopes {
        words = Set.copyOf(words);
    }

    public static Set<String> known() {
        var known = new HashSet<>(Set.of(READ_PLATFORM, WRITE_PLATFORM));
        for (var permission : Permission.values()) {
            known.add(permission.name());
        }
        return known;
    }

    /** Always true for null, and for a key without scopes. */
    public boolean allow(Permission permission) {
        return words.isEmpty() || permission == null || words.contains(permission.name());
    }

    /** The scope that is missing to read, or else to change, data of the platform; empty when none is. */
    public Optional<String> missingForPlatform(boolean reads) {
        if (words.isEmpty() || words.contains(WRITE_PLATFORM) || reads && words.contains(READ_PLATFORM)) {
            return Optional.empty();
        }
        return Optional.of(reads ? READ_PLATFORM : WRITE_PLATFORM);
    }
}
