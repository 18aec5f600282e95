/** The packages of CodeMirror are vendored without types: declarations of the part that the editor uses. */
type Extension = { readonly codeMirrorExtension: true } | readonly Extension[];
interface KeyBinding {
  key?: string;
}
interface Tag {
  readonly tag: true;
}
interface EditorStateOf {
  doc: { toString(): string; length: number; lines: number; line(number: number): { from: number } };
  selection: { main: { from: number; to: number; head: number } };
  sliceDoc(from: number, to?: number): string;
}
interface CompletionContext {
  pos: number;
  explicit: boolean;
  matchBefore(pattern: RegExp): { from: number; to: number; text: string } | null;
}
interface SyntaxNode {
  name: string;
  from: number;
  to: number;
  parent: SyntaxNode | null;
  firstChild: SyntaxNode | null;
  nextSibling: SyntaxNode | null;
}
type CompletionSource = (context: CompletionContext) => unknown;

declare module '@codemirror/autocomplete' {
  export function autocompletion(wish?: {
    override?: CompletionSource[];
    icons?: boolean;
    interactionDelay?: number;
  }): Extension;
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
  export const typescriptLanguage: Extension & { parser: { parse(text: string): { topNode: SyntaxNode } } };
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
  export function syntaxTree(state: EditorStateOf): {
    topNode: SyntaxNode;
    iterate(visit: { enter: (node: { type: { isError: boolean }; from: number; to: number }) => void }): void;
  };
  export class HighlightStyle {
    static define(rules: Array<{ tag: Tag | Tag[]; color: string; fontStyle?: string }>): HighlightStyle;
  }
  interface Stream {
    eatSpace(): boolean;
    eol(): boolean;
    next(): string | void;
    match(pattern: RegExp | string): RegExpMatchArray | boolean | null;
  }
  export const StreamLanguage: {
    define<S>(wish: {
      startState: () => S;
      token: (stream: Stream, state: S) => string | null;
      languageData?: Record<string, unknown>;
    }): Extension;
  };
}
declare module '@codemirror/lint' {
  interface Diagnostic {
    from: number;
    to: number;
    severity: string;
    message: string;
  }
  export function linter(look: (view: { state: EditorStateOf }) => Diagnostic[]): Extension;
}
declare module '@codemirror/state' {
  interface EffectType<T> {
    of(value: T): Effect;
    readonly value: T;
  }
  interface Effect {
    readonly effect: true;
    is<T>(type: EffectType<T>): this is { readonly value: T };
  }
  export const StateEffect: { define<T = null>(): EffectType<T> };
  interface Field<T> {
    readonly field: T;
  }
  export const StateField: {
    define<T>(wish: {
      create: () => T;
      update: (value: T, transaction: { docChanged: boolean; effects: readonly Effect[]; state: EditorStateOf }) => T;
      provide: (field: Field<T>) => Extension;
    }): Extension;
  };
  export const EditorState: {
    create(wish: { doc: string; extensions: Extension }): EditorStateOf;
    tabSize: { of(size: number): Extension };
    readOnly: { of(on: boolean): Extension };
  };
}
declare module '@codemirror/view' {
  import type { Effect, Field } from '@codemirror/state';
  export class EditorView {
    constructor(wish: { root: ShadowRoot; parent: ShadowRoot; state: EditorStateOf });
    static theme(rules: Record<string, Record<string, string>>): Extension;
    static readonly lineWrapping: Extension;
    static readonly contentAttributes: { of(attributes: Record<string, string>): Extension };
    static readonly updateListener: {
      of(listener: (update: { docChanged: boolean; state: EditorStateOf }) => void): Extension;
    };
    static readonly decorations: { from(field: Field<DecorationSet>): Extension };
    static readonly atomicRanges: { of(ranges: (view: EditorView) => DecorationSet): Extension };
    static domEventHandlers(handlers: {
      drop?: (event: DragEvent, view: EditorView) => boolean;
      focus?: () => boolean;
    }): Extension;
    readonly state: EditorStateOf;
    readonly hasFocus: boolean;
    dispatch(change: {
      changes?: { from: number; to: number; insert: string };
      selection?: { anchor: number };
      effects?: Effect;
    }): void;
    plugin<T>(plugin: Plugin<T>): T | null;
    posAtDOM(node: Node): number;
    posAtCoords(place: { x: number; y: number }): number | null;
    focus(): void;
    destroy(): void;
  }
  export interface DecorationSet {
    readonly decorationSet: true;
  }
  export const Decoration: {
    none: DecorationSet;
    set(marks: Array<{ readonly mark: true }>): DecorationSet;
    line(wish: { class: string; attributes: Record<string, string> }): { range(from: number): { readonly mark: true } };
    replace(wish: { widget: WidgetType }): { readonly decoration: true };
  };
  export abstract class WidgetType {
    eq(other: WidgetType): boolean;
    abstract toDOM(view: EditorView): HTMLElement;
  }
  export class MatchDecorator {
    constructor(wish: {
      regexp: RegExp;
      decorate: (
        add: (from: number, to: number, decoration: { readonly decoration: true }) => void,
        from: number,
        to: number,
        match: RegExpExecArray,
        view: EditorView,
      ) => void;
    });
    createDeco(view: EditorView): DecorationSet;
  }
  export interface Plugin<T> {
    readonly plugin: T;
  }
  export const ViewPlugin: {
    fromClass<T>(
      type: new (view: EditorView) => T,
      wish: { decorations: (value: T) => DecorationSet; provide: (plugin: Plugin<T>) => Extension },
    ): Extension;
  };
  export function drawSelection(): Extension;
  export function highlightActiveLine(): Extension;
  export function lineNumbers(): Extension;
  export const keymap: { of(bindings: readonly KeyBinding[]): Extension };
}
declare module '@lezer/highlight' {
  export const tags: Record<
    | 'keyword'
    | 'modifier'
    | 'controlKeyword'
    | 'string'
    | 'number'
    | 'bool'
    | 'null'
    | 'comment'
    | 'propertyName'
    | 'variableName'
    | 'invalid',
    Tag
  > & { special(tag: Tag): Tag; definition(tag: Tag): Tag };
}
