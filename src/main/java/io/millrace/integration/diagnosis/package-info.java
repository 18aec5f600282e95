/**
 * Diagnosis of failed runs: class of the cause, first difference in the data since the last successful run, changes since that
 * run, similar failures, and actions. Deterministic: every statement names its evidence.
 *
 * <p>Reads runs, versions, connections and variables of the areas below, and only when a client asks. The rules are in
 * {@code failure}, the counts of similar failures in {@code issue}. Start reading at
 * {@link io.millrace.integration.diagnosis.DiagnosisService}.
 */
package io.millrace.integration.diagnosis;
