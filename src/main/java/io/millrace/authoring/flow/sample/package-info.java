/**
 * Samples from step tests, shown in editors and used as outputs of earlier steps in later tests (contract
 * flows-and-engine 21).
 *
 * <p>The package below stores the files, because the operation SAVE_SAMPLE_DATA writes them with the version. Start
 * reading at {@link io.millrace.authoring.flow.sample.SampleData}.
 */
package io.millrace.authoring.flow.sample;
