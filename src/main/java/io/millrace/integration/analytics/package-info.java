/**
 * How much the flows of a platform do, and what time they save (contract admin-api 29).
 *
 * <p>Reads what other modules keep about flows and runs, and changes nothing of it. Start reading at {@link
 * io.millrace.integration.analytics.AnalyticsService}.
 */
package io.millrace.integration.analytics;
