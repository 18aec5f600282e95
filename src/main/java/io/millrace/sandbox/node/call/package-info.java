/**
 * The calls of Node.js and Python processes as their callers see them: {@link io.millrace.sandbox.node.call.NodeCall}, its ticket and
 * its result, what a process may ask of the server while it runs, and the settings of the processes.
 */
package io.millrace.sandbox.node.call;
