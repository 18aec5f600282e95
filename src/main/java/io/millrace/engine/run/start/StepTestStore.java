package io.millrace.engine.run.start;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;

final class StepTestStore {
    Future<Void> insert(Tx tx, String runId, Instant now, String stepName) {
        return tx.query("insert into step_test (run_id, created, step_name) values ($1, $2, $3)", runId, now, stepName)
                .mapEmpty();
    }

    Future<Optional<String>> stepOf(Tx tx, String runId) {
        return tx.query("select step_name from step_test where run_id = $1", runId)
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "step_name")));
    }
}
