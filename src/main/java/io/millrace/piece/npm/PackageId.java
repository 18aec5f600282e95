package io.millrace.piece.npm;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

public record PackageId(String name, String version) {
    private static final int HASH_CHARACTERS = 32;

    private static final Pattern NAME = Pattern.compile("(@[a-z0-9][a-z0-9._-]{0,100}/)?[a-z0-9][a-z0-9._-]{0,100}");
    private static final Pattern EXACT = Pattern.compile("[0-9]{1,9}\\.[0-9]{1,9}\\.[0-9]{1,9}");

    /** Names of official packages, which may be installed without an administrator. */
    private static final Pattern OFFICIAL = Pattern.compile("@activepieces/piece-[a-z0-9][a-z0-9._-]{0,100}");

    /** Returns whether both parts are valid for an exact package: no range, path or address. */
    boolean isValid() {
        return NAME.matcher(name).matches() && EXACT.matcher(version).matches();
    }

    /** Returns whether a text is the name of a package: no range, path or address. */
    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    public boolean isOfficial() {
        return isValid() && OFFICIAL.matcher(name).matches();
    }

    /**
     * Folder name of the package. It depends on the content, because a running process would not notice a replacement.
     *
     * @param integrity of the archive
     */
    String folderName(String integrity) {
        var hash = HexFormat.of().formatHex(integrity.getBytes(StandardCharsets.UTF_8));
        return name.replace("@", "").replace('/', '+') + "-" + version + "-"
                + hash.substring(Math.max(0, hash.length() - HASH_CHARACTERS));
    }

    @Override
    public String toString() {
        return name + "@" + version;
    }
}
