import type { ComponentChildren } from 'preact';
import { blocksOf, spansOf, type Block, type Span } from './markdown';

interface Props {
  text: string;
  /** True if a line break within a paragraph is a space, as in wrapped texts. */
  joined?: boolean;
  /** Renders a block of code in place of the usual one. */
  code?: (text: string) => ComponentChildren;
}

/** Markdown as elements: HTML in it is never parsed. */
export function MarkdownView({ text, ...look }: Props) {
  return (
    <div class="markdown">
      {blocksOf(text).map((block, index) => (
        <Part key={index} block={block} {...look} />
      ))}
    </div>
  );
}

function Part({ block, joined, code }: { block: Block } & Omit<Props, 'text'>) {
  switch (block.kind) {
    case 'heading':
      return block.level <= 2 ? <h2>{inline(block.text)}</h2> : <h3>{inline(block.text)}</h3>;
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
