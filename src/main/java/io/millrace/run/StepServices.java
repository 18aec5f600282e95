package io.millrace.run;

import io.millrace.trigger.HookServices;

/** What steps reach beside their input: stored values, files, connections and variables, as triggers do. */
public interface StepServices extends HookServices {}
