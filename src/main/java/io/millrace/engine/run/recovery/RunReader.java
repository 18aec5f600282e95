package io.millrace.engine.run.recovery;

import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.engine.run.store.StoredRun;
import io.vertx.core.Future;

/** Parses the values of stored runs. */
public interface RunReader {
    /** The values of a stored run; large ones are parsed on a worker. */
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
