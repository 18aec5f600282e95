package io.millrace.support;

import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import java.io.File;
import java.nio.file.Path;
import java.util.List;

/**
 * Template of a data directory: an embedded database with the schema of this release and no rows. Created on first use
 * in a JVM and removed with it. A copy saves a server's first start the initdb and the migrations, which take longer
 * than the rest of that start.
 */
final class PreparedData {
    private PreparedData() {}

    /** Copies the template, with owners and modes, into a directory. */
    static void copyTo(Path directory) {
        TestFolder.run(directory, List.of("cp", "-a", Prototype.DIRECTORY.path() + File.separator + ".", "."));
    }

    private static void migrate(Path directory) {
        var server =
                EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(directory).withOptions(TestPostgres.NOT_DURABLE));
        try {
            TestPostgres.migrate(server.connection());
        } finally {
            server.stop();
        }
    }

    private static final class Prototype {
        static final DataDirectory DIRECTORY = make();

        private static DataDirectory make() {
            var directory = DataDirectory.create();
            Runtime.getRuntime().addShutdownHook(new Thread(directory::close, "remove-prepared-data"));
            migrate(directory.path());
            return directory;
        }
    }
}
