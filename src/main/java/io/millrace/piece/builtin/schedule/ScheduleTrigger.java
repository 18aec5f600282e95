package io.millrace.piece.builtin.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.CronSchedule;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.TriggerContext;
import io.millrace.piece.TriggerSpec;
import io.millrace.piece.property.Property;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Starts a flow at the times of a cron expression made of the input.
 *
 * @param reported inputs that an item contains, in effective form
 * @param emptyItems true if items are empty
 * @param cronExpression expression for a processed input
 */
record ScheduleTrigger(
        TriggerSpec spec, List<ReportedInput> reported, boolean emptyItems, Function<ObjectNode, String> cronExpression)
        implements PieceTrigger {
    record ReportedInput(String name, ToIntFunction<ObjectNode> value) {}

    private static final String DEFAULT_TIMEZONE = "UTC";

    static TriggerSpec spec(String name, String displayName, String description, Map<String, Property> props) {
        return new TriggerSpec(
                name,
                displayName,
                description,
                props,
                true,
                TriggerSpec.Strategy.POLLING,
                Json.object(),
                TriggerSpec.TestStrategy.TEST_FUNCTION);
    }

    @Override
    public Future<List<JsonNode>> run(TriggerContext context) {
        return Future.succeededFuture(List.of(item(context.props())));
    }

    @Override
    public Future<List<JsonNode>> test(TriggerContext context) {
        return Future.succeededFuture(List.of(Json.object()));
    }

    @Override
    public Future<Void> onEnable(TriggerContext context) {
        context.setSchedule(new CronSchedule(cronExpression.apply(context.props()), timezone(context.props())));
        return Future.succeededFuture();
    }

    @Override
    public boolean firesForEachInstant() {
        return true;
    }

    private JsonNode item(ObjectNode props) {
        var item = Json.object();
        if (emptyItems) {
            return item;
        }
        reported.forEach(input -> item.put(input.name(), input.value().applyAsInt(props)));
        return item.put("cron_expression", cronExpression.apply(props)).put("timezone", timezone(props));
    }

    private static String timezone(ObjectNode props) {
        return props.path("timezone").asText(DEFAULT_TIMEZONE);
    }
}
