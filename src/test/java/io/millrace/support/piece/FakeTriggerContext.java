package io.millrace.support.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.CronSchedule;
import io.millrace.piece.StepContext.StoreScope;
import io.millrace.piece.TriggerContext;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** In-memory context of a trigger; stored values can be inspected. */
public final class FakeTriggerContext implements TriggerContext {
    private final ObjectNode props;
    private final JsonNode payload;

    /** True if the trigger was enabled before; a test may change it. */
    public boolean republish;

    public final Map<String, JsonNode> store = new HashMap<>();
    public final List<String> events = new ArrayList<>();
    public CronSchedule schedule;

    private FakeTriggerContext(ObjectNode props, JsonNode payload) {
        this.props = props;
        this.payload = payload;
    }

    /** Context of a call with this input and this payload. */
    public static FakeTriggerContext with(JsonNode props, JsonNode payload) {
        return new FakeTriggerContext((ObjectNode) props, payload);
    }

    @Override
    public ObjectNode props() {
        return props;
    }

    @Override
    public JsonNode payload() {
        return payload;
    }

    @Override
    public String projectId() {
        return "project";
    }

    @Override
    public String flowId() {
        return "flow";
    }

    @Override
    public String flowVersionId() {
        return "version";
    }

    @Override
    public String webhookUrl() {
        return "https://mill.example/api/v1/webhooks/flow";
    }

    @Override
    public boolean isRepublish() {
        return republish;
    }

    @Override
    public boolean testing() {
        return false;
    }

    @Override
    public void setSchedule(CronSchedule wanted) {
        schedule = wanted;
    }

    @Override
    public void createListeners(List<String> names, String identifierValue) {
        names.forEach(name -> events.add(name + " of " + identifierValue));
    }

    @Override
    public Future<Optional<JsonNode>> storeGet(StoreScope scope, String key) {
        return Future.succeededFuture(Optional.ofNullable(store.get(scope + ":" + key)));
    }

    @Override
    public Future<Void> storePut(StoreScope scope, String key, JsonNode value) {
        store.put(scope + ":" + key, value);
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> storeDelete(StoreScope scope, String key) {
        store.remove(scope + ":" + key);
        return Future.succeededFuture();
    }

    @Override
    public Future<String> writeFile(String fileName, Buffer data) {
        return Future.succeededFuture("https://mill.example/" + fileName);
    }
}
