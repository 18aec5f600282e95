/**
 * What tests of steps left: the samples that an editor shows, and that later tests are given as outputs of earlier
 * steps (contract flows-and-engine 21).
 *
 * <p>The files are kept by the package below, because the operation SAVE_SAMPLE_DATA writes them with the version.
 * Start reading at {@link io.millrace.authoring.flow.sample.SampleData}.
 */
package io.millrace.authoring.flow.sample;
