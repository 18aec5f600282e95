/**
 * Settings of the server: one enum of names, one record tree of checked values, read once at start.
 *
 * <p>Start reading at {@link io.millrace.base.config.Setting}. No other package reads the environment.
 */
package io.millrace.base.config;
