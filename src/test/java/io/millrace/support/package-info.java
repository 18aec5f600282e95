/**
 * What tests of all modules share: real parts made quick to start, doubles written by hand, and words of the domain.
 *
 * <p>Holds no test. Nothing here is looser than the real thing, except that its database does not sync to disk.
 */
package io.millrace.support;
