/** Clients that are slow, leave responses unread, or send more than the server has memory for. */
package io.millrace.fault.client;
