package pack;

import java.util.regex.Pattern;

/** Files of libraries that no process reads. */
final class Unused {
    private static final String ICU = "org/graalvm/shadowed/com/ibm/icu/";

    /**
     * Of ICU, all that ECMA-402 (Intl) has no use for: converters of legacy character sets, transliteration, numbers in words, names of
     * characters, preparation of domain names, confusable characters. Annotations and configurations of build tools.
     */
    private static final Pattern NAMES = Pattern.compile(ICU + "charset/.*"
            + "|" + ICU + "impl/data/icudata/([^/]*\\.(cnv|spp|cfu)|unames\\.icu|(translit|rbnf)/.*)"
            + "|org/checkerframework/.*"
            + "|META-INF/native-image/.*"
            + "|hazelcast-(client-)?(failover-)?(full-example|default-assembly|docker-assembly|security-hardened)\\..*");

    private Unused() {}

    static boolean is(String name) {
        return NAMES.matcher(name).matches();
    }
}
