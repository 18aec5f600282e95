/**
 * When a schedule is due: cron expressions in a time zone, and what becomes of times that were missed. Pure (decision
 * 0016 says why the cron is our own).
 *
 * <p>Start reading at {@link io.millrace.engine.trigger.schedule.DueTimes}.
 */
package io.millrace.engine.trigger.schedule;
