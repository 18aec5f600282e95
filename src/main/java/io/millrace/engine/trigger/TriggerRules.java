package io.millrace.engine.trigger;

import io.millrace.engine.trigger.schedule.Misfire;

/**
 * What an operator says about triggers.
 *
 * @param pollMinutes interval of a poll that names no schedule (AP_TRIGGER_DEFAULT_POLL_INTERVAL)
 * @param misfire what becomes of missed times of a schedule (AP_SCHEDULE_MISFIRE_POLICY)
 * @param misfiresMax runs that missed times start at most (AP_SCHEDULE_MISFIRE_MAX)
 */
public record TriggerRules(int pollMinutes, Misfire misfire, int misfiresMax) {}
