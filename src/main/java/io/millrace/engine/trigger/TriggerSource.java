package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.CronSchedule;
import io.millrace.piece.TriggerSpec;
import java.time.Instant;

/**
 * A trigger that listens (contract flows-and-engine 18.1).
 *
 * @param schedule of a poll, else null
 * @param simulate whether it listens for an editor, and starts nothing
 * @param timer what is done when it is due; null for a source that only waits for events
 * @param nextDue null without a timer
 * @param fence number that says which claim this is; a later one shuts it out
 */
record TriggerSource(
        String id,
        String projectId,
        String flowId,
        String flowVersionId,
        TriggerSpec.Strategy type,
        String triggerName,
        String pieceName,
        String pieceVersion,
        CronSchedule schedule,
        boolean simulate,
        Timer timer,
        Instant nextDue,
        long fence) {
    /** What a source does when it is due. */
    enum Timer {
        POLL,
        RENEW
    }

    static ObjectNode scheduleJson(CronSchedule schedule) {
        return Json.object()
                .put("type", "CRON_EXPRESSION")
                .put("cronExpression", schedule.expression())
                .put("timezone", schedule.timezone());
    }
}
