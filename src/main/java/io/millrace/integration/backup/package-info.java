/**
 * Backups that the server takes by itself: at which times, where they go, and which of the older ones stay (decision 0288);
 * and the write-ahead log beside them (decision 0292).
 *
 * <p>What is in a backup is {@link io.millrace.base.backup.Backup}'s business. Start reading at
 * {@link io.millrace.integration.backup.ScheduledBackups}. One node of all takes each; nothing waits for it.
 */
package io.millrace.integration.backup;
