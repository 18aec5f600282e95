package io.millrace.piece;

/**
 * Schedule of a POLLING trigger (contract flows-and-engine 18.3).
 *
 * @param expression five fields: minute, hour, day of the month, month, day of the week
 * @param timezone name of a time zone, for example {@code Europe/Berlin}
 */
public record CronSchedule(String expression, String timezone) {}
