package io.millrace.sandbox.program;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Key of a stored program.
 *
 * @param platformId platforms share no programs: otherwise the first to publish would choose the packages of the others
 * @param hash of the source and its manifest
 */
record ProgramKey(String platformId, String hash) {
    static ProgramKey of(String platformId, CodeSource source) {
        var language = source.language() == CodeSource.Language.JAVASCRIPT ? "" : source.language() + ":";
        return new ProgramKey(
                platformId, hash(language + source.code().length() + ":" + source.code() + source.packageJson()));
    }

    /** Key of the same source if these packages may load native code. */
    ProgramKey beside(List<String> nativePackages) {
        return nativePackages.isEmpty()
                ? this
                : new ProgramKey(platformId, hash(hash + ":" + String.join(",", nativePackages)));
    }

    static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
