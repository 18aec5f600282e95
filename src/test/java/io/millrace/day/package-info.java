/**
 * A day of a server, by its packaged file and the commands of an operator: installed, run, watched, backed up under
 * load, killed, restored, upgraded, its projects kept as files. {@code scripts/day} runs it and prints the findings.
 */
package io.millrace.day;
