/**
 * Usage report of a platform: runs of its flows and the time that they save (contract admin-api 29).
 *
 * <p>Reads the tables of flows and runs of other modules; never writes to them. Start reading at
 * {@link io.millrace.integration.analytics.AnalyticsService}.
 */
package io.millrace.integration.analytics;
