import { t } from '../../base/text';
import type { CodeProblem } from './codeProblems';

/** Node of a syntax tree of Lezer, as far as the checks read it. */
export interface CodeNode {
  name: string;
  from: number;
  to: number;
  parent: CodeNode | null;
  firstChild: CodeNode | null;
  nextSibling: CodeNode | null;
}

/** Names that a code step can use without a definition: of the language, of Node.js and of its web interfaces. */
const GLOBALS = new Set(
  (
    'AbortController AbortSignal AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Blob Boolean Buffer DOMException DataView Date Error EvalError Event EventTarget ' +
    'File FinalizationRegistry Float32Array Float64Array FormData Function Headers Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math MessageChannel NaN Number Object Promise ' +
    'Proxy RangeError ReadableStream ReferenceError Reflect RegExp Request Response Set SharedArrayBuffer String Symbol SyntaxError TextDecoder TextEncoder TransformStream TypeError URIError URL ' +
    'URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly WebSocket WritableStream __dirname __filename arguments atob btoa clearInterval ' +
    'clearTimeout console crypto decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval exports fetch global globalThis isFinite isNaN module navigator parseFloat parseInt ' +
    'performance process queueMicrotask require setImmediate setInterval setTimeout structuredClone undefined unescape'
  ).split(' '),
);

const FUNCTIONS = new Set(['ArrowFunction', 'FunctionDeclaration', 'FunctionExpression', 'MethodDeclaration']);

function* childrenOf(node: CodeNode): Iterable<CodeNode> {
  for (let child = node.firstChild; child; child = child.nextSibling) {
    yield child;
  }
}

function* descendants(node: CodeNode, isLeft: (node: CodeNode) => boolean = () => false): Iterable<CodeNode> {
  for (const child of childrenOf(node)) {
    yield child;
    if (!isLeft(child)) {
      yield* descendants(child, isLeft);
    }
  }
}

const childOf = (node: CodeNode, ...names: string[]): CodeNode | undefined =>
  [...childrenOf(node)].find((child) => names.includes(child.name));

/** Problems of names and calls: names without a definition, promises without `await`, a function `code` without a result. */
export function nameProblems(text: string, root: CodeNode): CodeProblem[] {
  const all = [...descendants(root)];
  const textOf = (node: CodeNode): string => text.slice(node.from, node.to);
  const functions = named(all, textOf);
  return [
    ...undefinedNames(all, textOf),
    ...lostPromises(
      text,
      all,
      textOf,
      new Set(['fetch', ...functions.filter(([, node]) => childOf(node, 'async')).map(([name]) => name)]),
    ),
    ...functions
      .filter(([name, node]) => name === 'code' && isWithoutResult(node))
      .map(
        ([, node]): CodeProblem => ({
          from: node.from,
          to: childOf(node, 'Block')!.from,
          severity: 'warning',
          message: t('code.noResult'),
        }),
      ),
  ];
}

/** Scopes are not told apart: a name counts as defined if any scope defines it. */
function undefinedNames(all: readonly CodeNode[], textOf: (node: CodeNode) => string): CodeProblem[] {
  const defined = new Set(all.filter(isDefinition).map(textOf));
  return all
    .filter(
      (node) =>
        node.name === 'VariableName' &&
        !MODULE_NAMES.has(node.parent?.name ?? '') &&
        !defined.has(textOf(node)) &&
        !GLOBALS.has(textOf(node)) &&
        !isTypeof(node),
    )
    .map(({ from, to }) => ({
      from,
      to,
      severity: 'error',
      message: t('code.undefinedName', { name: textOf({ from, to } as CodeNode) }),
    }));
}

/** Lists of names of another module, or of this module for others. */
const MODULE_NAMES = new Set(['ImportGroup', 'ExportGroup']);

/** A property of a pattern without a colon defines a variable of its name. */
const isDefinition = (node: CodeNode): boolean =>
  node.name === 'VariableDefinition' ||
  node.name === 'TypeDefinition' ||
  (node.name === 'PropertyName' && node.parent?.name === 'PatternProperty' && childOf(node.parent, ':') === undefined);

/** `typeof name` is valid for a name without a definition. */
const isTypeof = (node: CodeNode): boolean =>
  node.parent?.name === 'UnaryExpression' && childOf(node.parent, 'typeof') !== undefined;

const named = (all: readonly CodeNode[], textOf: (node: CodeNode) => string): Array<[string, CodeNode]> =>
  all
    .filter(({ name }) => FUNCTIONS.has(name))
    .flatMap((node): Array<[string, CodeNode]> => {
      const own = node.name === 'FunctionDeclaration' ? childOf(node, 'VariableDefinition') : undefined;
      const holder = node.parent?.name === 'VariableDeclaration' ? before(node) : undefined;
      const name = own ?? holder;
      return name ? [[textOf(name), node]] : [];
    });

/** Last definition in front of a value of a declaration. */
const before = (node: CodeNode): CodeNode | undefined =>
  [...childrenOf(node.parent!)].filter((each) => each.name === 'VariableDefinition' && each.to <= node.from).at(-1);

const isWithoutResult = (node: CodeNode): boolean => {
  const block = childOf(node, 'Block');
  return (
    block !== undefined &&
    ![...descendants(block, (each) => FUNCTIONS.has(each.name))].some(
      ({ name }) => name === 'ReturnStatement' || name === 'ThrowStatement',
    )
  );
};

const HANDLERS = new Set(['then', 'catch', 'finally']);

function lostPromises(
  text: string,
  all: readonly CodeNode[],
  textOf: (node: CodeNode) => string,
  promising: ReadonlySet<string>,
): CodeProblem[] {
  return all
    .filter(
      (node) =>
        node.name === 'CallExpression' &&
        node.firstChild?.name === 'VariableName' &&
        promising.has(textOf(node.firstChild)) &&
        isLost(text, node, textOf),
    )
    .map((node) => ({
      from: node.firstChild!.from,
      to: node.firstChild!.to,
      severity: 'warning',
      message: t('code.noAwait', { name: textOf(node.firstChild!) }),
    }));
}

/** Returns whether the promise of a call is used as a value, or not at all. */
function isLost(text: string, call: CodeNode, textOf: (node: CodeNode) => string): boolean {
  switch (call.parent?.name) {
    case 'ExpressionStatement':
    case 'BinaryExpression':
    case 'Interpolation':
      return true;
    case 'MemberExpression':
      return !HANDLERS.has(textOf(childOf(call.parent, 'PropertyName') ?? call));
    case 'VariableDeclaration': {
      const name = before(call);
      return name === undefined || !isAwaitedLater(text, textOf(name).replaceAll('$', '\\$'));
    }
    default:
      return false;
  }
}

const isAwaitedLater = (text: string, name: string): boolean =>
  new RegExp(
    `\\bawait\\s+${name}(?![\\w$.?[])|\\breturn\\s+${name}\\s*(?:[;}\\n]|$)|(?<![\\w$.])${name}\\s*\\.\\s*(?:then|catch|finally)\\b|\\(\\s*[^()]*(?<![\\w$.])${name}(?![\\w$.\\[])`,
  ).test(text);
