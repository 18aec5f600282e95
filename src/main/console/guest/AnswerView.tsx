import type { ComponentChildren } from 'preact';
import { Icon } from '../base/components/Icon';
import { t } from '../base/text';
import { blocksOf, spansOf } from '../builder/fields/markdown';
import type { Answer, GivenFile } from './answer';

const inline = (text: string): ComponentChildren => spansOf(text).map((span, index) =>
  span.kind === 'bold' ? <b key={index}>{span.text}</b>
    : span.kind === 'code' ? <code key={index}>{span.text}</code>
    : span.kind === 'link' ? <a key={index} href={span.to} target="_blank" rel="noopener noreferrer">{span.text}</a>
    : span.text);

/** Text of a flow's author, with the little of Markdown that is safe. */
export function Prose({ text }: { text: string }) {
  return (
    <div class="prose">
      {blocksOf(text).map((block, index) => block.kind === 'code' ? <pre key={index}>{block.text}</pre>
        : block.kind === 'item' ? <p key={index} class="item-line">{inline(block.text)}</p>
        : block.kind === 'heading' ? <h2 key={index}>{inline(block.text)}</h2>
        : <p key={index}>{inline(block.text)}</p>)}
    </div>
  );
}

function FileLink({ file }: { file: GivenFile }) {
  return (
    <a class="guest-file" href={file.href} download={file.name} aria-label={t('guest.file.download', { name: file.name })}>
      <Icon name="download" /><span class="cut">{file.name}</span>
    </a>
  );
}

/** What a flow has answered; nothing for an answer that says nothing. */
export function AnswerView({ answer }: { answer: Answer }) {
  switch (answer.kind) {
    case 'nothing': return null;
    case 'file': return <FileLink file={answer.file} />;
    case 'text': return (
      <>
        {answer.text ? <Prose text={answer.text} /> : null}
        {answer.files.map((file, index) => <FileLink key={index} file={file} />)}
      </>
    );
  }
}
