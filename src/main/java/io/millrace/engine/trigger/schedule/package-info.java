/**
 * Due times of schedules: cron expressions in a time zone, and policies for missed times. Pure (decision 0016 gives the reason
 * for a custom cron implementation).
 *
 * <p>Start reading at {@link io.millrace.engine.trigger.schedule.DueTimes}.
 */
package io.millrace.engine.trigger.schedule;
