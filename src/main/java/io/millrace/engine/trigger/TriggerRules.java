package io.millrace.engine.trigger;

import io.millrace.engine.trigger.schedule.Misfire;

/**
 * Trigger settings of the operator.
 *
 * @param pollMinutes interval of a poll that names no schedule (AP_TRIGGER_DEFAULT_POLL_INTERVAL)
 * @param misfire policy for missed times of a schedule (AP_SCHEDULE_MISFIRE_POLICY)
 * @param misfiresMax most runs that missed times start (AP_SCHEDULE_MISFIRE_MAX)
 */
public record TriggerRules(int pollMinutes, Misfire misfire, int misfiresMax) {}
