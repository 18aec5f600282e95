/**
 * What every cache of the server has: a bound, a time to live, and statistics (decision 0130).
 *
 * <p>Knows nothing of what is kept. Start reading at {@link io.millrace.base.cache.Caches}.
 */
package io.millrace.base.cache;
