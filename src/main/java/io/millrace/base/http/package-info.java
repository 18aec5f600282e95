/**
 * The edge: what a request meets before and after the module that answers it.
 *
 * <p>The order of checks is the contract's (admin-api 1.2): route, body, validation, who asks, which project, may they.
 * Bodies arrive by {@code body}, below; the listening server and the limits of its connections are {@code server}, above.
 * Start reading at {@link io.millrace.base.http.Routes}. This module knows no other module: modules bring their routes.
 */
package io.millrace.base.http;
