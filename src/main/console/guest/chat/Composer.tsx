import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../Icon';
import { sizeOf } from '../size';
import { t } from '../text';

interface Props {
  botName: string;
  text: string;
  write: (text: string) => void;
  busy: boolean;
  share: number;
  say: (text: string, files: readonly File[]) => void;
}

/** Message input. Enter sends, Shift+Enter inserts a line break. */
export function Composer({ botName, text, write, busy, share, say }: Props) {
  const [files, setFiles] = useState<readonly File[]>([]);
  const area = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const ready = !busy && (text.trim() !== '' || files.length > 0);
  useEffect(() => area.current?.focus(), []);
  const submit = (): void => {
    if (ready) {
      say(text.trim(), files);
      setFiles([]);
      area.current?.focus();
    }
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        setFiles((now) => [...now, ...(event.dataTransfer?.files ?? [])]);
      }}>
      {files.length > 0 ? (
        <ul class="attachments">
          {files.map((file, index) => (
            <li key={index} class="row">
              <Icon name="file" size={14} />
              <span class="cut">{file.name}</span>
              <span class="faint">{sizeOf(file.size)}</span>
              <button
                class="button quiet small icon-only"
                type="button"
                aria-label={t('chat.detach', { name: file.name })}
                onClick={() => setFiles((now) => now.filter((_, at) => at !== index))}>
                <Icon name="x" size={14} />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {busy && share < 1 ? <progress max={100} value={Math.floor(share * 100)} aria-label={t('form.sending')} /> : null}
      <div class="line">
        <input
          ref={chooser}
          class="visually-hidden"
          type="file"
          multiple
          tabIndex={-1}
          aria-hidden
          onChange={(event) => {
            const chosen = [...(event.currentTarget.files ?? [])];
            setFiles((now) => [...now, ...chosen]);
            event.currentTarget.value = '';
          }}
        />
        <button
          class="button quiet icon-only"
          type="button"
          aria-label={t('chat.attach')}
          title={t('chat.attach')}
          onClick={() => chooser.current?.click()}>
          <Icon name="paperclip" />
        </button>
        <textarea
          ref={area}
          class="input"
          rows={1}
          aria-label={t('chat.message')}
          placeholder={t('chat.placeholder', { name: botName })}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
              event.preventDefault();
              submit();
            }
          }}
        />
        <button
          class="button primary icon-only"
          type="submit"
          disabled={!ready}
          aria-label={t('chat.send')}
          title={t('chat.send')}>
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}
