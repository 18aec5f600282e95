/** Poison runs, which end the server that executes them: detected, and set aside after a limited number of attempts. */
package io.millrace.fault.poison;
