package io.millrace.sandbox.program;

import io.millrace.sandbox.npm.BadPackage;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Npm packages that code steps may use.
 *
 * @param allowed names, in the mode with a list
 * @param bundleBytesMax largest program in bytes, including packages
 * @param nativeNames packages that may load native code, each one as a name or as a platform's id, a colon and the name
 */
public record DependencyRules(Mode mode, Set<String> allowed, long bundleBytesMax, Set<String> nativeNames) {
    public enum Mode {
        OFF,
        ALLOW_LIST,
        ON
    }

    public DependencyRules {
        allowed = Set.copyOf(allowed);
        nativeNames = Set.copyOf(nativeNames);
    }

    List<String> nativeAmong(String platformId, Collection<String> names) {
        return names.stream()
                .filter(name -> nativeNames.contains(name) || nativeNames.contains(platformId + ":" + name))
                .toList();
    }

    /** Throws for the first package that is refused, with the reason. */
    void check(Collection<String> names) throws BadPackage {
        for (var name : names) {
            switch (mode) {
                case OFF ->
                    throw new BadPackage("npm package " + name
                            + " is refused: code steps may not use npm packages on this server (AP_CODE_DEPENDENCIES)");
                case ALLOW_LIST -> {
                    if (!allowed.contains(name)) {
                        throw new BadPackage("npm package " + name
                                + " is refused: it is not on the allow list of this server"
                                + " (AP_CODE_DEPENDENCIES_ALLOW_LIST)");
                    }
                }
                case ON -> {
                    // Any package of the registry.
                }
            }
        }
    }

    String tooLarge() {
        return "the program is too large: expected at most " + (bundleBytesMax >> 20) + " MB including its packages"
                + " (AP_CODE_PROGRAM_MAX_MB, 16 at most); import fewer or smaller packages";
    }
}
