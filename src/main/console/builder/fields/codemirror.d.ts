/** The packages of CodeMirror come without their types; this is what the editor uses of them. */
type Extension = { readonly codeMirrorExtension: true } | readonly Extension[];
interface KeyBinding { key?: string }
interface Tag { readonly tag: true }
interface EditorStateOf { doc: { toString(): string; length: number } }
interface CompletionContext { pos: number }
type CompletionSource = (context: CompletionContext) => unknown;

declare module '@codemirror/autocomplete' {
  export function autocompletion(): Extension;
  export function closeBrackets(): Extension;
  export const closeBracketsKeymap: readonly KeyBinding[];
  export const completionKeymap: readonly KeyBinding[];
}
declare module '@codemirror/commands' {
  export const defaultKeymap: readonly KeyBinding[];
  export const historyKeymap: readonly KeyBinding[];
  export const indentWithTab: KeyBinding;
  export function history(): Extension;
}
declare module '@codemirror/lang-javascript' {
  export const localCompletionSource: CompletionSource;
  export const typescriptLanguage: Extension;
  export const javascriptLanguage: { data: { of(data: { autocomplete: CompletionSource }): Extension } };
  export function scopeCompletionSource(scope: unknown): CompletionSource;
}
declare module '@codemirror/lang-json' {
  export function json(): Extension;
}
declare module '@codemirror/language' {
  export function bracketMatching(): Extension;
  export function indentOnInput(): Extension;
  export function syntaxHighlighting(style: HighlightStyle): Extension;
  export class HighlightStyle {
    static define(rules: Array<{ tag: Tag | Tag[]; color: string; fontStyle?: string }>): HighlightStyle;
  }
}
declare module '@codemirror/state' {
  export const EditorState: {
    create(wish: { doc: string; extensions: Extension }): EditorStateOf;
    tabSize: { of(size: number): Extension };
    readOnly: { of(on: boolean): Extension };
  };
}
declare module '@codemirror/view' {
  export class EditorView {
    constructor(wish: { root: ShadowRoot; parent: ShadowRoot; state: EditorStateOf });
    static theme(rules: Record<string, Record<string, string>>): Extension;
    static readonly lineWrapping: Extension;
    static readonly contentAttributes: { of(attributes: Record<string, string>): Extension };
    static readonly updateListener: { of(listener: (update: { docChanged: boolean; state: EditorStateOf }) => void): Extension };
    readonly state: EditorStateOf;
    readonly hasFocus: boolean;
    dispatch(change: { changes: { from: number; to: number; insert: string } }): void;
    focus(): void;
    destroy(): void;
  }
  export function drawSelection(): Extension;
  export function highlightActiveLine(): Extension;
  export function lineNumbers(): Extension;
  export const keymap: { of(bindings: readonly KeyBinding[]): Extension };
}
declare module '@lezer/highlight' {
  export const tags: Record<'keyword' | 'modifier' | 'controlKeyword' | 'string' | 'number' | 'bool' | 'null' | 'comment' | 'propertyName' | 'variableName' | 'invalid', Tag> & {
    special(tag: Tag): Tag;
    definition(tag: Tag): Tag;
  };
}
