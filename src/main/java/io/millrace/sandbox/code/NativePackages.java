package io.millrace.sandbox.code;

import java.util.List;

/**
 * Packages of a program that may load native code. Such code cannot be part of one file, so theirs lie beside it, and are
 * kept with the program of this platform and hash.
 */
public record NativePackages(String platformId, String hash, List<String> names) {
    public NativePackages {
        names = List.copyOf(names);
    }
}
