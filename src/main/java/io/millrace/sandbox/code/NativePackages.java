package io.millrace.sandbox.code;

import java.util.List;

/**
 * Packages of a program that may load native code. Native code cannot be bundled into one file, so these packages are separate
 * files, stored with the program of this platform and hash.
 */
public record NativePackages(String platformId, String hash, List<String> names) {
    public NativePackages {
        names = List.copyOf(names);
    }
}
