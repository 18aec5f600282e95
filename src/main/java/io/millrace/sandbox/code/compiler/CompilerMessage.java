package io.millrace.sandbox.code.compiler;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * First error of a compiler in words for authors. An error about a file reveals neither a path of this host nor the existence of
 * the file: all files outside the packages give the same text.
 */
final class CompilerMessage {
    /** First line of a message, and the place below it. */
    private static final Pattern MESSAGE = Pattern.compile(
            "\\[ERROR] (?<text>.*?)(?:\\R\\s*\\R\\s+(?<file>[^\\r\\n]{1,4000}?):(?<line>\\d+):(?<column>\\d+):|\\z|\\R)",
            Pattern.DOTALL);

    private static final String OWN_SOURCE = "code.ts";
    private static final String OF_PACKAGES = "node_modules/";

    /** A missing package: the message keeps only its name. */
    private static final Pattern MISSING_PACKAGE = Pattern.compile(
            "Could not resolve \"(?![./])[A-Za-z0-9@_~$][A-Za-z0-9@_~$/-]*(?:\\.[A-Za-z0-9@_~$/-]+)*\"");

    private static final Pattern ABOUT_FILES = Pattern.compile(
            "(?i)could not (?:resolve|read|load|find|open)|cannot (?:read|find|open|import|access)|failed to (?:read|open)"
                    + "|permission denied|no such file|not a directory|no loader is configured");

    /** An absolute path, or one that leaves its folder. */
    private static final Pattern OUTER_PATH = Pattern.compile("\\.\\.[/\\\\]|(?:^|[\\s\"'(=:])/[A-Za-z0-9._]");

    private static final Pattern MISSING_LOADER =
            Pattern.compile("No loader is configured for \"[^\"/]{0,100}\" files: node_modules/[^\\s\"]{1,1000}");

    private static final String NATIVE_CODE = "loader is configured for \".node\" files";

    /** An import of the author's own source; the message has no further details. */
    static final String UNRESOLVED = "an import cannot be resolved among the packages of the step";

    private CompilerMessage() {}

    /** "text (line, column)" of the first error in what a compiler printed. */
    static String of(String output) {
        Matcher found = MESSAGE.matcher(output);
        if (!found.find()) {
            return "the compiler rejected the source";
        }
        String text = found.group("text").strip();
        String file = found.group("file");
        if (isAboutFiles(text, file)) {
            return file != null && isInPackages(file)
                    ? "an import of " + file + " cannot be resolved among the packages of the step"
                    : UNRESOLVED;
        }
        if (text.contains(NATIVE_CODE)) {
            // The compiler does not know that native code can be loaded as separate files.
            return text + "; native code is loaded only of packages that AP_NODE_NATIVE_PACKAGES names";
        }
        return OWN_SOURCE.equals(file)
                ? text + " (line " + found.group("line") + ", column " + found.group("column") + ")"
                : text;
    }

    private static boolean isAboutFiles(String text, String file) {
        if (file != null && !file.equals(OWN_SOURCE) && !isInPackages(file)) {
            return true;
        }
        if (MISSING_PACKAGE.matcher(text).matches()
                || MISSING_LOADER.matcher(text).matches()) {
            return false;
        }
        return ABOUT_FILES.matcher(text).find()
                || isOfPackage(file) && OUTER_PATH.matcher(text).find();
    }

    /** True unless the file is the author's own source, whose error text stays unchanged. */
    private static boolean isOfPackage(String file) {
        return !OWN_SOURCE.equals(file);
    }

    private static boolean isInPackages(String file) {
        return file.startsWith(OF_PACKAGES) && !file.contains("..");
    }
}
