/**
 * Clients that are slow, leave answers unread, or send more than there is memory for.
 */
package io.millrace.fault.client;
