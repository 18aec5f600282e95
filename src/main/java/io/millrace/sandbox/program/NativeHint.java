package io.millrace.sandbox.program;

import io.millrace.sandbox.code.CodeProgram;
import java.util.regex.Pattern;

/** Adds the setting that allows native code to errors of packages that could not load it. */
final class NativeHint {
    private static final Pattern SIGN = Pattern.compile(
            "native addon|loading addons is disabled|--include=optional|ERR_DLOPEN|node-gyp|prebuil[dt]|\\.node\\b"
                    + "|Access to this API has been restricted",
            Pattern.CASE_INSENSITIVE);

    private NativeHint() {}

    static String of(String message, CodeProgram program) {
        return program.npmDependencies().isEmpty()
                        || program.nativePackages().isPresent()
                        || !SIGN.matcher(message).find()
                ? message
                : message + "\nIf a package of this step (" + String.join(", ", program.npmDependencies())
                        + ") needs native code: ask the operator to add its name to AP_NODE_NATIVE_PACKAGES, then publish the"
                        + " flow again.";
    }
}
