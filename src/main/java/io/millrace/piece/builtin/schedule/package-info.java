/**
 * What begins or goes on at a time: schedules, delays, and the trigger that only people start.
 *
 * <p>Start reading at {@code SchedulePiece}.
 */
package io.millrace.piece.builtin.schedule;
