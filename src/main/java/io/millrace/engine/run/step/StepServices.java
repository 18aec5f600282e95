package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.engine.trigger.HookServices;
import io.millrace.piece.store.StoreEdit;
import io.vertx.core.Future;
import java.util.Optional;

/** Services of steps in addition to those of triggers: changes of stored values that are made once. */
public interface StepServices extends HookServices {
    /**
     * Changes a stored value atomically.
     *
     * @param receipt the same for every repetition of one change, and for no other
     */
    Future<Optional<JsonNode>> storeEdit(String projectId, String key, String receipt, StoreEdit edit);
}
