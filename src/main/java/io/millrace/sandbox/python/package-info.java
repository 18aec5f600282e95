/**
 * Python as a language of CODE steps (decision 0252): finds the interpreter of this host and builds the command line of its
 * processes. The pool of {@code sandbox.node} supervises them, like those of Node.js.
 *
 * <p>Start reading at {@link io.millrace.sandbox.python.PythonEngine}. The script {@code python/host.py} among the resources
 * executes the calls.
 */
package io.millrace.sandbox.python;
