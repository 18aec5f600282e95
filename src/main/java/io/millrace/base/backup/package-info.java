/**
 * Backups: everything that a server knows in one file, taken while it works, and put back into an empty place, embedded or
 * external (decision 0198); and the write-ahead log of the embedded database, by which any moment can be restored (decision 0292).
 *
 * <p>Knows no table: which there are, in which order they refer to each other and what columns they have is asked of the
 * database. Blocks throughout; for tools beside a server, never for an event loop. Start reading at
 * {@link io.millrace.base.backup.Backup} and {@link io.millrace.base.backup.Restore}, or at
 * {@link io.millrace.base.backup.LogArchive}.
 */
package io.millrace.base.backup;
