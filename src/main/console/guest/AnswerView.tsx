import { useState } from 'preact/hooks';
import type { Answer, AnswerFile } from './answer';
import { Icon } from './Icon';
import { MarkdownView } from '../base/markdown/MarkdownView';
import { t } from './text';

export function AnswerView({ answer }: { answer: Answer }) {
  return (
    <div class="answer">
      {answer.text === '' ? null : <MarkdownView text={answer.text} />}
      {answer.files.map((file, index) => (
        <FileView key={index} file={file} />
      ))}
    </div>
  );
}

/** An image that cannot be shown can still be downloaded. */
function FileView({ file }: { file: AnswerFile }) {
  const [shown, setShown] = useState(file.image);
  const name = file.name || t('file.unnamed');
  return (
    <figure>
      {shown ? <img src={file.url} alt={name} onError={() => setShown(false)} /> : null}
      <a class="file" href={file.url} download={file.name} target="_blank" rel="noopener noreferrer">
        <Icon name="download" />
        <span class="cut">{t('file.download', { name })}</span>
      </a>
    </figure>
  );
}
