/**
 * Lasting connections of clients: streams of server-sent events, web sockets, and sockets over polled requests.
 *
 * <p>{@link io.millrace.base.http.socket.OpenConnections} counts them, bounds them and closes them when the server stops.
 * Messages of a protocol, such as Socket.IO, are the task of the module that opens a socket.
 */
package io.millrace.base.http.socket;
