/**
 * Time-based pieces: schedules, delays, and the manual trigger.
 *
 * <p>Start reading at {@code SchedulePiece}.
 */
package io.millrace.piece.builtin.schedule;
