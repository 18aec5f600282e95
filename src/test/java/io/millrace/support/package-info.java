/**
 * Test support of all modules: real components that start quickly, hand-written doubles, and a test DSL.
 *
 * <p>Contains no test. The doubles are as strict as the real systems, except that the database does not sync to disk.
 */
package io.millrace.support;
