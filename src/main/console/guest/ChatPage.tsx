import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { Icon } from '../base/components/Icon';
import { t } from '../base/text';
import { answerOf } from './answer';
import { AnswerView } from './AnswerView';
import { forget, keep, kept, type Message } from './conversation';
import { webhookPath } from './form';
import { send } from './send';

export interface Chat {
  id: string;
  title: string;
  props: { botName: string };
}

function bodyOf(sessionId: string, message: string, files: readonly File[]): FormData | object {
  if (files.length === 0) {
    return { sessionId, message };
  }
  const parts = new FormData();
  parts.append('sessionId', sessionId);
  parts.append('message', message);
  files.forEach((file, place) => parts.append(`files[${place}]`, file));
  return parts;
}

/** A chat with a flow. What was said stays in this tab; the flow knows the conversation by its session. */
export function ChatPage({ chat, draft }: { chat: Chat; draft: boolean }) {
  const [talk, setTalk] = useState(() => kept(chat.id));
  const [waiting, setWaiting] = useState(false);
  const end = useRef<HTMLDivElement>(null);
  const name = chat.props.botName;
  useEffect(() => keep(chat.id, talk), [talk]);
  useEffect(() => end.current?.scrollIntoView({ block: 'end' }), [talk.messages.length, waiting]);
  const add = (message: Message): void => setTalk((before) => ({ ...before, messages: [...before.messages, message] }));
  const say = async (text: string, files: readonly File[]): Promise<void> => {
    add({ by: 'guest', text, files: files.map((file) => file.name) });
    setWaiting(true);
    const outcome = await send(webhookPath(chat.id, draft, true), bodyOf(talk.session, text, files));
    setWaiting(false);
    add(outcome.ok
      ? { by: 'bot', answer: answerOf(outcome.body, t('guest.file.unnamed')) }
      : { by: 'nobody', words: outcome.words, text, again: files.length === 0 });
  };
  const again = (message: Message & { by: 'nobody' }): void => {
    setTalk((before) => ({ ...before, messages: before.messages.slice(0, -2) }));
    void say(message.text, []);
  };
  return (
    <>
      <div class="guest-talk" role="log" aria-live="polite">
        {talk.messages.length === 0 ? <p class="faint guest-begin">{t('guest.chat.begin', { name })}</p> : null}
        {talk.messages.map((message, index) => <Said key={index} message={message} name={name} again={index === talk.messages.length - 1 && !waiting ? again : undefined} />)}
        {waiting ? <p class="faint" role="status"><Icon name="loader-circle" spin /> {t('guest.chat.thinking', { name })}</p> : null}
        <div ref={end} />
      </div>
      <Composer busy={waiting} say={say} clear={talk.messages.length > 0 ? () => setTalk(forget(chat.id)) : undefined} />
    </>
  );
}

function Said({ message, name, again }: { message: Message; name: string; again: ((message: Message & { by: 'nobody' }) => void) | undefined }) {
  switch (message.by) {
    case 'guest':
      return (
        <div class="said own">
          <span class="visually-hidden">{t('guest.chat.you')}: </span>
          <p>{message.text}</p>
          {message.files.map((file) => <p key={file} class="attached"><Icon name="file" size={14} />{file}</p>)}
        </div>
      );
    case 'bot':
      return (
        <div class="said">
          <span class="visually-hidden">{name}: </span>
          {message.answer.kind === 'nothing' ? <p class="faint">{t('guest.chat.silent')}</p> : <AnswerView answer={message.answer} />}
        </div>
      );
    case 'nobody':
      return (
        <div class="said failed" role="alert">
          <p><Icon name="circle-alert" size={14} /> {message.words}</p>
          {again && message.again ? <Button size="small" onClick={() => again(message)}>{t('guest.chat.retry')}</Button> : null}
        </div>
      );
  }
}

function Composer({ busy, say, clear }: { busy: boolean; say: (text: string, files: readonly File[]) => Promise<void>; clear: (() => void) | undefined }) {
  const [text, setText] = useState('');
  const [files, setFiles] = useState<readonly File[]>([]);
  const chooser = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (text.trim() === '' || busy) {
      return;
    }
    void say(text.trim(), files);
    setText('');
    setFiles([]);
    if (chooser.current) {
      chooser.current.value = '';
    }
    box.current?.focus();
  };
  return (
    <form class="guest-composer" onSubmit={submit}>
      {files.length > 0 ? <p class="attached faint"><Icon name="file" size={14} />{files.map((file) => file.name).join(', ')}</p> : null}
      <textarea
        ref={box} class="input" name="message" rows={2} aria-label={t('guest.chat.message')} placeholder={t('guest.chat.message')} value={text} autofocus
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
            submit(event);
          }
        }}
      />
      <div class="row">
        <input ref={chooser} class="visually-hidden" type="file" name="files" multiple tabIndex={-1} aria-hidden="true" onChange={(event) => setFiles([...(event.currentTarget.files ?? [])])} />
        <Button kind="quiet" icon="paperclip" label={t('guest.chat.attach')} onClick={() => chooser.current?.click()} />
        {clear ? <Button kind="quiet" icon="rotate-ccw" label={t('guest.chat.clear')} disabled={busy} onClick={clear} /> : null}
        <span class="spread" />
        <Button kind="primary" icon="send" type="submit" busy={busy} disabled={text.trim() === ''}>{t('guest.chat.send')}</Button>
      </div>
    </form>
  );
}
