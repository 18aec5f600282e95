/**
 * Test support of all modules: real components that start quickly, hand-written doubles, and a test DSL.
 *
 * <p>Holds no test. Nothing here is looser than the real thing, except that its database does not sync to disk.
 */
package io.millrace.support;
