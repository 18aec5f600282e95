/**
 * Python as a language of CODE steps (decision 0252): finds the interpreter of this host and says how its processes are
 * started. They are supervised as those of Node.js are, by the pool of {@code sandbox.node}.
 *
 * <p>Start reading at {@link io.millrace.sandbox.python.PythonEngine}. What a process does with a call is written in
 * {@code python/host.py} among the resources.
 */
package io.millrace.sandbox.python;
