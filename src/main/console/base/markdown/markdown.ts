/** Markdown subset of answers as a tree. Unknown syntax stays text, and so does HTML. */
export type Block =
  | { kind: 'text' | 'quote'; lines: string[] }
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'list'; ordered: boolean; start: number; items: string[] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'rule' };

export interface Span {
  kind: 'text' | 'bold' | 'italic' | 'struck' | 'code' | 'link';
  text: string;
  to?: string;
}

const FENCE = /^\s*(```|~~~)/;
const HEADING = /^\s*(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/;
const QUOTE = /^\s*>\s?/;
const ITEM = /^\s*(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** Level of the highest heading; 1 without a heading. */
export function highestOf(blocks: readonly Block[]): number {
  const levels = blocks.flatMap((block) => (block.kind === 'heading' ? [block.level] : []));
  return levels.length === 0 ? 1 : Math.min(...levels);
}

/** Cuts a text into blocks. */
export function blocksOf(markdown: string): Block[] {
  const lines = markdown.replace(/\r\n?/g, '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  let open = false;
  while (at < lines.length) {
    const line = lines[at]!;
    const fence = FENCE.exec(line);
    if (fence) {
      const end = lines.findIndex((other, index) => index > at && other.trim().startsWith(fence[1]!));
      const last = end === -1 ? lines.length : end;
      blocks.push({ kind: 'code', text: lines.slice(at + 1, last).join('\n') });
      at = last + 1;
      open = false;
    } else if (line.includes('|') && TABLE_RULE.test(lines[at + 1] ?? '') && lines[at + 1]!.includes('-')) {
      let end = at + 2;
      while (end < lines.length && lines[end]!.includes('|')) {
        end++;
      }
      blocks.push({ kind: 'table', head: cellsOf(line), rows: lines.slice(at + 2, end).map(cellsOf) });
      at = end;
      open = false;
    } else {
      open = takeLine(blocks, line, open);
      at++;
    }
  }
  return blocks;
}

/** Appends a line to the last block or starts a new block; returns whether the next line may continue it. */
function takeLine(blocks: Block[], line: string, open: boolean): boolean {
  const last = open ? blocks.at(-1) : undefined;
  const heading = HEADING.exec(line);
  const item = ITEM.exec(line);
  if (line.trim() === '') {
    return false;
  }
  if (heading) {
    blocks.push({ kind: 'heading', level: heading[1]!.length, text: heading[2]! });
    return false;
  }
  if (RULE.test(line)) {
    blocks.push({ kind: 'rule' });
    return false;
  }
  if (item) {
    takeItem(blocks, item[1], item[2]!);
  } else if (QUOTE.test(line)) {
    const text = line.replace(QUOTE, '');
    last?.kind === 'quote' ? last.lines.push(text) : blocks.push({ kind: 'quote', lines: [text] });
  } else if (last?.kind === 'list') {
    last.items[last.items.length - 1] += ' ' + line.trim();
  } else if (last?.kind === 'text' || last?.kind === 'quote') {
    last.lines.push(line.trim());
  } else {
    blocks.push({ kind: 'text', lines: [line.trim()] });
  }
  return true;
}

/** Items of one list may stand apart. */
function takeItem(blocks: Block[], number: string | undefined, text: string): void {
  const last = blocks.at(-1);
  if (last?.kind === 'list' && last.ordered === (number !== undefined)) {
    last.items.push(text);
  } else {
    blocks.push({ kind: 'list', ordered: number !== undefined, start: Number(number ?? 1), items: [text] });
  }
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

const SPAN =
  /`([^`]+)`|\*\*(.+?)\*\*|\b__(\S(?:.*?\S)?)__\b|~~(.+?)~~|\*([^*\s./,;:|)](?:[^*]*[^*\s])?)\*|\b_([^_\s](?:[^_]*[^_\s])?)_\b|!?\[([^\]]*)\]\(((?:https?:\/\/|mailto:)[^)\s]+)\)|(https?:\/\/[^\s<>()]*[^\s<>().,;:!?'"])/gi;

/** Links to schemes other than web and mail stay text. */
export function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of line.matchAll(SPAN)) {
    if (match.index > from) {
      spans.push({ kind: 'text', text: line.slice(from, match.index) });
    }
    spans.push(spanOf(match));
    from = match.index + match[0].length;
  }
  if (from < line.length) {
    spans.push({ kind: 'text', text: line.slice(from) });
  }
  return spans;
}

function spanOf([, code, bold, alsoBold, struck, italic, alsoItalic, label, to, bare]: RegExpExecArray): Span {
  if (to !== undefined) {
    return { kind: 'link', text: label || to, to };
  }
  if (bare !== undefined) {
    return { kind: 'link', text: bare, to: bare };
  }
  if (code !== undefined) {
    return { kind: 'code', text: code };
  }
  if (struck !== undefined) {
    return { kind: 'struck', text: struck };
  }
  const strong = bold ?? alsoBold;
  return strong === undefined ? { kind: 'italic', text: italic ?? alsoItalic ?? '' } : { kind: 'bold', text: strong };
}
