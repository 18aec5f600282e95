package io.millrace.engine.run.recovery;

import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.engine.run.store.StoredRun;
import io.vertx.core.Future;

public interface RunReader {
    /** Large values are parsed on a worker. */
    Future<Read> read(StoredRun stored);

    /**
     * A stored run with its values.
     *
     * @param payloadBytes size of its payload as text
     * @param textBytes size of all values as text
     */
    record Read(RunSnapshot run, long payloadBytes, long textBytes) {
        public static Read of(StoredRun stored) {
            var run = stored.read();
            return new Read(run, JsonSize.of(run.payload()), run.textBytes());
        }
    }
}
