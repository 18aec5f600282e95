package pack;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Libraries that become an archive of their own, by the beginnings of the names of their files. */
enum Library {
    /** JavaScript engine: only workers of code load it. */
    ENGINE(
            List.of("com/oracle/", "org/graalvm/", "META-INF/resources/engine/"),
            Pattern.compile("META-INF/services/(com\\.oracle|org\\.graalvm)\\..*|META-INF/graalvm/.*"
                    + "|META-INF/(maven|native-image)/org\\.graalvm.*")),

    /** Cluster engine: only nodes of a cluster load it. */
    CLUSTER(
            List.of(
                    "com/hazelcast/",
                    "io/vertx/spi/cluster/hazelcast/",
                    "hazelcast-",
                    "io/millrace/base/cluster/HazelcastEngine",
                    "default-cluster.xml"),
            Pattern.compile("META-INF/services/(com\\.hazelcast\\..*|javax\\.cache\\.spi\\.CachingProvider)"
                    + "|META-INF/(maven|native-image)/com\\.hazelcast.*"));

    /** Directory of the archives in the packed file. */
    static final String FOLDER = "libraries/";

    private static final Pattern RELEASE = Pattern.compile("META-INF/versions/[0-9]+/");

    private final List<String> beginnings;
    private final Pattern others;

    Library(List<String> beginnings, Pattern others) {
        this.beginnings = beginnings;
        this.others = others;
    }

    /** The library that a file of the shaded jar belongs to. */
    static Optional<Library> of(String name) {
        var plain = RELEASE.matcher(name).replaceFirst("");
        return Arrays.stream(values())
                .filter(library -> library.beginnings.stream().anyMatch(plain::startsWith)
                        || library.others.matcher(name).matches())
                .findFirst();
    }

    String fileName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
