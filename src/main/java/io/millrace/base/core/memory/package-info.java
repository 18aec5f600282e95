/**
 * Representations that use less memory or storage, and estimates of memory: compressed text, lists that are parsed on access,
 * libraries that are unpacked on first use, the weight of JSON.
 *
 * <p>Start reading at {@link io.millrace.base.core.memory.CompressedText}.
 */
package io.millrace.base.core.memory;
