/**
 * Settings of the server: one enum of names, one record tree of checked values, read once at start.
 *
 * <p>Start reading at {@link io.millrace.base.config.Setting}; {@link io.millrace.base.config.Config} is the root of the
 * values. A group with rules of its own is a {@code …Settings} record that reads itself. No other package reads the
 * environment.
 */
package io.millrace.base.config;
