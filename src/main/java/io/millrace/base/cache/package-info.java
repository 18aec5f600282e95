/**
 * Properties of every cache of the server: a bound, a time to live, and statistics (decision 0130).
 *
 * <p>Independent of the cached values. Start reading at {@link io.millrace.base.cache.Caches}.
 */
package io.millrace.base.cache;
