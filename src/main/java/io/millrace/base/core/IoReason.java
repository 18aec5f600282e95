package io.millrace.base.core;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Describes a failure of the file system in words, without the name of an exception. */
public final class IoReason {
    private IoReason() {}

    public static String of(IOException failure) {
        if (!(failure instanceof FileSystemException ofFile)) {
            return failure.getMessage() == null ? "the file system failed" : failure.getMessage();
        }
        var reason = switch (ofFile) {
            case NoSuchFileException _ -> "no such file or directory";
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "a file of this name exists";
            case NotDirectoryException _ -> "not a directory";
            default -> ofFile.getReason() == null ? "the file system failed" : ofFile.getReason();
        };
        return ofFile.getFile() == null ? reason : ofFile.getFile() + ": " + reason;
    }
}
