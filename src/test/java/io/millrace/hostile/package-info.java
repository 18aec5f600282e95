/**
 * scripts/hostile: every kind of attack in bounded time, one line per kind. Test classes with {@link
 * io.millrace.hostile.HostileKind} are the corpora; the packaged server under load within the memory of a simulated
 * machine is a separate kind.
 *
 * <p>All traffic stays on loopback addresses. Start reading at {@link io.millrace.hostile.Hostile}.
 */
package io.millrace.hostile;
