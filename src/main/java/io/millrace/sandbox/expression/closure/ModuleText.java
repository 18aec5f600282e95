package io.millrace.sandbox.expression.closure;

import java.util.Optional;

final class ModuleText {
    /** Beginning that esbuild writes for a module that exports one function named {@code code}. */
    static final String EXPORTS = """
            var __defProp = Object.defineProperty;
            var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
            var __getOwnPropNames = Object.getOwnPropertyNames;
            var __hasOwnProp = Object.prototype.hasOwnProperty;
            var __export = (target, all) => {
              for (var name in all)
                __defProp(target, name, { get: all[name], enumerable: true });
            };
            var __copyProps = (to, from, except, desc) => {
              if (from && typeof from === "object" || typeof from === "function") {
                for (let key of __getOwnPropNames(from))
                  if (!__hasOwnProp.call(to, key) && key !== except)
                    __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
              }
              return to;
            };
            var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);
            var code_exports = {};
            __export(code_exports, {
              code: () => code
            });
            module.exports = __toCommonJS(code_exports);
            """;

    private ModuleText() {}

    /** Statements of the module without its exports; empty for a module with other exports. */
    static Optional<String> body(String javaScript) {
        return javaScript.startsWith(EXPORTS) ? Optional.of(javaScript.substring(EXPORTS.length())) : Optional.empty();
    }
}
