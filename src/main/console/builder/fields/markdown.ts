/** Subset of Markdown that descriptions of pieces use. */
export interface Block {
  kind: 'text' | 'code' | 'item' | 'heading';
  text: string;
}
export interface Span {
  kind: 'text' | 'bold' | 'code' | 'link';
  text: string;
  to?: string;
}

/** Splits a description into blocks. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let code: string[] | undefined;
  for (const raw of markdown.split('\n')) {
    const line = raw.trim();
    if (line.startsWith('```')) {
      if (code) {
        blocks.push({ kind: 'code', text: code.join('\n').trim() });
      }
      code = code ? undefined : [];
    } else if (code) {
      code.push(raw.trimEnd());
    } else if (/^(---+|)$/.test(line)) {
      blocks.push({ kind: 'text', text: '' });
    } else {
      const heading = /^#+\s+(.*)$/.exec(line);
      const item = /^(?:[-*]|\d+\.)\s+(.*)$/.exec(line);
      const last = blocks.at(-1);
      if (heading) {
        blocks.push({ kind: 'heading', text: heading[1]! });
      } else if (item) {
        blocks.push({ kind: 'item', text: item[1]! });
      } else if (last?.kind === 'text' && last.text !== '') {
        last.text += ' ' + line;
      } else {
        blocks.push({ kind: 'text', text: line });
      }
    }
  }
  return blocks.filter((block) => block.text !== '');
}

const SPAN = /\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]+)\]\((https?:\/\/[^)\s]+)\)/g;

/** Splits a line into formatted spans. Links to schemes other than http and https stay text. */
export function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of line.matchAll(SPAN)) {
    if (match.index > from) {
      spans.push({ kind: 'text', text: line.slice(from, match.index) });
    }
    const [whole, bold, code, text, to] = match;
    spans.push(
      bold !== undefined
        ? { kind: 'bold', text: bold }
        : code !== undefined
          ? { kind: 'code', text: code }
          : { kind: 'link', text: text!, to: to! },
    );
    from = match.index + whole.length;
  }
  if (from < line.length) {
    spans.push({ kind: 'text', text: line.slice(from) });
  }
  return spans;
}
