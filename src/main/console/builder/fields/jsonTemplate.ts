import { partsOf } from '../data/references';

export interface JsonProblem {
  at: number;
  line: number;
  reason: string;
}

export function isInString(before: string): boolean {
  let inside = false;
  for (let at = 0; at < before.length; at++) {
    if (before[at] === '\\' && inside) {
      at++;
    } else if (before[at] === '"') {
      inside = !inside;
    }
  }
  return inside;
}

/** Token as JSON needs it at a position: unchanged inside a string, otherwise as a string of its own. */
export function tokenInJson(before: string, token: string): string {
  const escaped = JSON.stringify(token).slice(1, -1);
  return isInString(before) ? escaped : `"${escaped}"`;
}

/** Text with each reference replaced by a value of equal length: letters inside a string, null outside. */
function withoutTokens(text: string): string {
  let plain = '';
  for (const part of partsOf(text)) {
    plain +=
      part.kind === 'text'
        ? part.text
        : isInString(plain)
          ? 'x'.repeat(part.text.length)
          : 'null'.padEnd(part.text.length);
  }
  return plain;
}

/** First error of JSON with references; undefined for valid JSON and for an empty text. */
export function jsonProblem(text: string): JsonProblem | undefined {
  if (text.trim() === '') {
    return undefined;
  }
  const reader = new Reader(withoutTokens(text));
  try {
    reader.document();
    return undefined;
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) {
      throw refusal;
    }
    return { at: refusal.at, line: text.slice(0, refusal.at).split('\n').length, reason: refusal.message };
  }
}

class Refusal extends Error {
  constructor(
    readonly at: number,
    reason: string,
  ) {
    super(reason);
  }
}

const DEPTH_MAX = 100;
const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;

/** Recursive-descent JSON parser that reports the first error, its position and the expected token. */
class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): void {
    this.value(0);
    if (this.peek() !== '') {
      throw this.expected('the end of the text');
    }
  }

  private peek(): string {
    while (' \n\r\t'.includes(this.text[this.at] ?? '#')) {
      this.at++;
    }
    return this.text[this.at] ?? '';
  }

  private value(depth: number): void {
    const first = this.peek();
    if (depth > DEPTH_MAX) {
      throw new Refusal(this.at, `nested more than ${DEPTH_MAX} levels deep`);
    }
    if (first === '{') {
      this.list('}', () => {
        if (this.peek() !== '"') {
          throw this.expected('a name in double quotes');
        }
        this.matched(STRING, 'a name in double quotes');
        if (this.peek() !== ':') {
          throw this.expected('a colon');
        }
        this.at++;
        this.value(depth + 1);
      });
    } else if (first === '[') {
      this.list(']', () => this.value(depth + 1));
    } else if (first === '"') {
      this.matched(STRING, 'a closed string without line breaks');
    } else {
      this.matched(LITERAL, 'a value');
    }
  }

  private list(end: string, entry: () => void): void {
    this.at++;
    if (this.peek() === end) {
      this.at++;
      return;
    }
    for (;;) {
      entry();
      const next = this.peek();
      if (next !== ',' && next !== end) {
        throw this.expected(`a comma or ${end}`);
      }
      this.at++;
      if (next === end) {
        return;
      }
    }
  }

  private matched(pattern: RegExp, expected: string): void {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) {
      throw this.expected(expected);
    }
    this.at += found[0].length;
  }

  private expected(what: string): Refusal {
    const found = this.text[this.at];
    return new Refusal(this.at, `expected ${what}, found ${found === undefined ? 'the end' : `“${found}”`}`);
  }
}
