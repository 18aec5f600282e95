/** Tests of runs: the parts by themselves, and whole runs over HTTP. */
package io.millrace.engine.run;
