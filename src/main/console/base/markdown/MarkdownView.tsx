import type { ComponentChildren } from 'preact';
import { blocksOf, highestOf, spansOf, type Block, type Span } from './markdown';

interface Props {
  text: string;
  /** True if a line break within a paragraph is a space, as in wrapped texts. */
  joined?: boolean;
  /** Level of the highest heading of the text, one below the heading of its place. */
  level?: 2 | 3;
  code?: (text: string) => ComponentChildren;
}

/** Markdown as elements: HTML in it is never parsed. */
export function MarkdownView({ text, level = 2, ...look }: Props) {
  const blocks = blocksOf(text);
  const offset = level - highestOf(blocks);
  return (
    <div class="markdown">
      {blocks.map((block, index) => (
        <Part key={index} block={block} offset={offset} {...look} />
      ))}
    </div>
  );
}

const LEVEL_MAX = 6;

function Part({ block, offset, joined, code }: { block: Block; offset: number } & Omit<Props, 'text' | 'level'>) {
  switch (block.kind) {
    case 'heading': {
      const Heading = `h${Math.min(block.level + offset, LEVEL_MAX)}` as 'h2';
      return <Heading>{inline(block.text)}</Heading>;
    }
    case 'code':
      return code ? (
        <>{code(block.text.trim())}</>
      ) : (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'rule':
      return <hr />;
    case 'quote':
      return <blockquote>{linesOf(block.lines)}</blockquote>;
    case 'text':
      return <p>{joined ? inline(block.lines.join(' ')) : linesOf(block.lines)}</p>;
    case 'list': {
      const items = block.items.map((item, index) => <li key={index}>{inline(item)}</li>);
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return (
        <div class="table-frame" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  <th key={index} scope="col">
                    {inline(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, index) => (
                    <td key={index}>{inline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

/** Line breaks are kept: authors of answers expect them. */
const linesOf = (lines: string[]): ComponentChildren =>
  lines.map((line, index) => (index === 0 ? inline(line) : [<br key={`br${index}`} />, inline(line)]));

const inline = (text: string): ComponentChildren =>
  spansOf(text).map((span, index) => <Piece key={index} span={span} />);

function Piece({ span }: { span: Span }) {
  switch (span.kind) {
    case 'bold':
      return <strong>{inline(span.text)}</strong>;
    case 'italic':
      return <em>{inline(span.text)}</em>;
    case 'struck':
      return <s>{span.text}</s>;
    case 'code':
      return <code>{span.text}</code>;
    case 'link':
      return (
        <a href={span.to} target="_blank" rel="noopener noreferrer nofollow">
          {span.text}
        </a>
      );
    case 'text':
      return <>{span.text}</>;
  }
}
