/**
 * Runs that end the server that executes them: found out, and not begun again for ever.
 */
package io.millrace.fault.poison;
