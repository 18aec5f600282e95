/**
 * A day in the life of a server, by its packaged file and what an operator types: installed, run, watched, backed up under load,
 * killed, restored, upgraded, its projects kept as files. {@code scripts/day} runs it and prints what it found.
 */
package io.millrace.day;
