package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.CronSchedule;
import io.millrace.piece.TriggerSpec;
import java.time.Instant;

/**
 * A listening trigger (contract flows-and-engine 18.1).
 *
 * @param schedule schedule of a poll, else null
 * @param simulate true if it listens for an editor and starts no runs
 * @param timer action when it is due; null for a source that only waits for events
 * @param nextDue null without a timer
 * @param fence number of this claim; a later claim invalidates it
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
