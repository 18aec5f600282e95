package io.millrace.app;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.file.impl.FileResolverImpl;
import io.vertx.core.internal.VertxInternal;
import org.junit.jupiter.api.Test;

/** In a container the data directory may be the only writable one. */
final class ServerVertxTest {
    @Test
    void makesNoFolderForFilesOutOfTheJar() {
        var vertx = ServerVertx.create();
        try {
            var files = (FileResolverImpl) ((VertxInternal) vertx).fileResolver();

            assertThat(files.cacheDir()).isNull();
        } finally {
            await(vertx.close());
        }
    }
}
